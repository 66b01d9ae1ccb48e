// Package rest has the one type that helm's engine names.
package rest

// Config is never made: the engine renders without a cluster.
type Config struct{}

// Package kubernetes is imported by helm only to have client-go's version in the build information.
package kubernetes

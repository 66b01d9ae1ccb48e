//go:build js && wasm

// Helm's template engine and Kustomize's builder as one WebAssembly module. It reaches nothing but the tree of files that the host
// hands in through `ask`: no network, no disk, no environment.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"runtime/debug"
	"syscall/js"
	"time"
	_ "time/tzdata" // without it dateInZone is wrong and says nothing
)

// What the host asks for; the fields are those of EngineRequest.
type request struct {
	Type string `json:"type"`
	// Nobody who writes a kustomization can know it, so no path written there leads out of the tree and in again.
	Root      string            `json:"root"`
	MaxOutput int               `json:"maxOutput"`
	Helm      *helmRequest      `json:"helm"`
	Kustomize *kustomizeRequest `json:"kustomize"`
}

type response struct {
	Text    string   `json:"-"`
	Origins []string `json:"origins"`
	Code    string   `json:"code,omitempty"`
	Message string   `json:"message,omitempty"`
}

// An error with the code that the host is to throw.
type failure struct{ code, message string }

func (f failure) Error() string { return f.message }

// The tree threw; the host has the error itself. It unwinds the render at once, as a panic, for Kustomize takes any error of a file
// for a file that is not there.
type treeFailure struct{}

func main() {
	// The module's memory ends at the host's limit (build.ts); the collector has to work harder before that.
	debug.SetMemoryLimit(200 << 20)
	// Deeper than any honest template goes; without it a recursion takes all of the memory first.
	debug.SetMaxStack(64 << 20)
	// Go would take the host's zone from JavaScript; what is rendered must not depend on where.
	time.Local = time.UTC
	log.SetFlags(0)
	slog.SetDefault(slog.New(slog.DiscardHandler))
	http.DefaultTransport = refusingTransport{}
	js.Global().Set("render", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text, done := args[0].String(), args[1]
		go func() {
			result := run(text)
			meta, err := json.Marshal(result)
			if err != nil {
				panic(err)
			}
			done.Invoke(string(meta), result.Text)
		}()
		return nil
	}))
	select {}
}

func run(text string) (result response) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case treeFailure:
			result = response{Code: "Tree"}
		default:
			// Nobody knows in what state it left the libraries: the host starts a new instance.
			panic(reason)
		}
	}()
	var asked request
	if err := json.Unmarshal([]byte(text), &asked); err != nil {
		return response{Code: "Internal", Message: err.Error()}
	}
	var output rendered
	var err error
	files := newTree()
	if asked.Type == "helm" {
		output, err = renderHelm(asked.Helm, files)
	} else {
		output, err = renderKustomize(asked.Kustomize, asked.Root, files)
	}
	if err == nil && len(output.text) > asked.MaxOutput {
		err = failure{"SourceTooLarge", fmt.Sprintf("the output has %d bytes, more than the %d that are allowed", len(output.text), asked.MaxOutput)}
	}
	if err != nil {
		code := "RenderFailed"
		if known := (failure{}); errors.As(err, &known) {
			code = known.code
		}
		return response{Code: code, Message: err.Error()}
	}
	return response{Text: output.text, Origins: output.origins}
}

type rendered struct {
	text string
	// One per section of the text (sections.go); empty where unknown.
	origins []string
}

type refusingTransport struct{}

func (refusingTransport) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("nothing is fetched from the network: put the file into the source tree")
}

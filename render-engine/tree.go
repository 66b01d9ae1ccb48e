//go:build js && wasm

package main

import (
	"encoding/json"
	"syscall/js"
)

const (
	typeFile      = "file"
	typeFolder    = "folder"
	typeSubmodule = "submodule"
	typeLink      = "link"
)

type entry struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// The files of the source, asked from the host when they are wanted and kept for this one render. Paths are the tree's own: no slash
// in front, the root is the empty path.
type tree struct {
	types    map[string]string
	contents map[string][]byte
}

func newTree() *tree {
	return &tree{types: map[string]string{}, contents: map[string][]byte{}}
}

// What is at each path, links followed; empty where there is nothing.
func (t *tree) typesOf(paths []string) []string {
	missing := []string{}
	for _, path := range paths {
		if _, known := t.types[path]; !known {
			missing = append(missing, path)
		}
	}
	if len(missing) > 0 {
		answer := ask("type", missing)
		for index, path := range missing {
			t.types[path] = answer.Index(index).String()
		}
	}
	types := make([]string, len(paths))
	for index, path := range paths {
		types[index] = t.types[path]
	}
	return types
}

func (t *tree) typeOf(path string) string {
	return t.typesOf([]string{path})[0]
}

// Where there is no such folder, the tree itself says so.
func (t *tree) requireFolder(path string) {
	if t.typeOf(path) != typeFolder {
		t.list([]string{path})
	}
}

func (t *tree) list(folders []string) [][]entry {
	answer := ask("list", folders)
	lists := make([][]entry, len(folders))
	for index := range folders {
		if err := json.Unmarshal([]byte(answer.Index(index).String()), &lists[index]); err != nil {
			panic(err)
		}
	}
	return lists
}

func (t *tree) read(paths []string) [][]byte {
	missing := []string{}
	for _, path := range paths {
		if _, known := t.contents[path]; !known {
			missing = append(missing, path)
		}
	}
	if len(missing) > 0 {
		answer := ask("read", missing)
		for index, path := range missing {
			bytes := answer.Index(index)
			content := make([]byte, bytes.Length())
			js.CopyBytesToGo(content, bytes)
			t.contents[path] = content
		}
	}
	contents := make([][]byte, len(paths))
	for index, path := range paths {
		contents[index] = t.contents[path]
	}
	return contents
}

// Blocks the worker until the host has answered: one answer per path, or undefined where the tree threw.
func ask(what string, paths []string) js.Value {
	list := make([]any, len(paths))
	for index, path := range paths {
		list[index] = path
	}
	answer := js.Global().Call("ask", what, list)
	if answer.IsUndefined() {
		panic(treeFailure{})
	}
	return answer
}

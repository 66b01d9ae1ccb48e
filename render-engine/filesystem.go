//go:build js && wasm

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

var errReadOnly = errors.New("the source tree is read-only")

// The tree as Kustomize wants to see it: below a folder at the top of a disk that has nothing else.
type treeFileSystem struct {
	files *tree
	root  string
	// Contents that take the place of the tree's; nil where the file is to be gone.
	replaced map[string][]byte
	// Those that were read.
	kustomizations []string
}

var _ filesys.FileSystem = (*treeFileSystem)(nil)

func (s *treeFileSystem) absolute(name string) string {
	return path.Join(s.root, name)
}

// The tree's path, or false where it leads out of the tree.
func (s *treeFileSystem) inTree(name string) (string, bool) {
	clean := path.Clean(name)
	if !path.IsAbs(clean) {
		clean = path.Join(s.root, clean)
	}
	if clean == s.root {
		return "", true
	}
	return strings.CutPrefix(clean, s.root+"/")
}

func (s *treeFileSystem) typeAt(name string) string {
	if content, found := s.replaced[name]; found {
		if content == nil {
			return ""
		}
		return typeFile
	}
	kind := s.files.typeOf(name)
	if kind == typeSubmodule {
		s.files.list([]string{name}) // throws, and says why
	}
	return kind
}

func (s *treeFileSystem) contentAt(name string) []byte {
	if content, found := s.replaced[name]; found {
		return content
	}
	return s.files.read([]string{name})[0]
}

func (s *treeFileSystem) look(name string) (string, string, error) {
	inside, ok := s.inTree(name)
	if !ok {
		return "", "", fmt.Errorf("'%s' leads out of the source tree", name)
	}
	kind := s.typeAt(inside)
	if kind == "" {
		return "", "", &fs.PathError{Op: "open", Path: name, Err: errors.New("no such file or directory")}
	}
	return inside, kind, nil
}

func (s *treeFileSystem) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	inside, kind, err := s.look(name)
	if err != nil {
		return "", "", err
	}
	clean := s.absolute(inside)
	if kind == typeFolder {
		return filesys.ConfirmedDir(clean), "", nil
	}
	return filesys.ConfirmedDir(path.Dir(clean)), path.Base(clean), nil
}

func (s *treeFileSystem) IsDir(name string) bool {
	_, kind, err := s.look(name)
	return err == nil && kind == typeFolder
}

func (s *treeFileSystem) Exists(name string) bool {
	_, _, err := s.look(name)
	return err == nil
}

func (s *treeFileSystem) ReadFile(name string) ([]byte, error) {
	inside, kind, err := s.look(name)
	if err != nil {
		return nil, err
	}
	if kind != typeFile {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("is a directory")}
	}
	if slices.Contains(konfig.RecognizedKustomizationFileNames(), path.Base(inside)) {
		s.kustomizations = append(s.kustomizations, inside)
	}
	return s.contentAt(inside), nil
}

func (s *treeFileSystem) ReadDir(name string) ([]string, error) {
	inside, kind, err := s.look(name)
	if err != nil {
		return nil, err
	}
	if kind != typeFolder {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("not a directory")}
	}
	entries := s.files.list([]string{inside})[0]
	names := make([]string, len(entries))
	for index, child := range entries {
		names[index] = child.Name
	}
	return names, nil
}

// Building a kustomization never calls those below.

func (s *treeFileSystem) Glob(string) ([]string, error)        { return nil, errors.ErrUnsupported }
func (s *treeFileSystem) Walk(string, filepath.WalkFunc) error { return errors.ErrUnsupported }
func (s *treeFileSystem) Open(string) (filesys.File, error)    { return nil, errors.ErrUnsupported }
func (s *treeFileSystem) Create(string) (filesys.File, error)  { return nil, errReadOnly }
func (s *treeFileSystem) Mkdir(string) error                   { return errReadOnly }
func (s *treeFileSystem) MkdirAll(string) error                { return errReadOnly }
func (s *treeFileSystem) RemoveAll(string) error               { return errReadOnly }
func (s *treeFileSystem) WriteFile(string, []byte) error       { return errReadOnly }

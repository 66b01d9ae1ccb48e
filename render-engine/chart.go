//go:build js && wasm

package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/ignore"
	"sigs.k8s.io/yaml"
)

var byteOrderMark = []byte{0xEF, 0xBB, 0xBF}

// As much of Chart.yaml as helm looks at before it chooses a loader.
type chartBase struct {
	APIVersion string `json:"apiVersion"`
}

// Reads a chart's folder as helm's own loader does: .helmignore holds, links are followed, files come in the order of a walk.
func loadChart(folder string, files *tree) (*chart.Chart, *chartOrigins, error) {
	names, err := chartFiles(folder, files)
	if err != nil {
		return nil, nil, err
	}
	paths := make([]string, len(names))
	for index, name := range names {
		paths[index] = path.Join(folder, name)
	}
	origins := &chartOrigins{byContent: map[*byte]string{}}
	buffered := make([]*archive.BufferedFile, len(names))
	for index, content := range files.read(paths) {
		if int64(len(content)) > archive.MaxDecompressedFileSize {
			return nil, nil, failure{"SourceTooLarge", fmt.Sprintf("%s has %d bytes; a file of a chart may have %d", paths[index], len(content), archive.MaxDecompressedFileSize)}
		}
		content = bytes.TrimPrefix(content, byteOrderMark)
		buffered[index] = &archive.BufferedFile{Name: names[index], Data: content}
		if len(content) > 0 {
			origins.byContent[&content[0]] = paths[index]
		}
		if path.Ext(names[index]) == ".tgz" {
			origins.archives = append(origins.archives, paths[index])
		}
	}
	if err := checkAPIVersion(buffered); err != nil {
		return nil, nil, err
	}
	loaded, err := loader.LoadFiles(buffered)
	if err != nil {
		return nil, nil, err
	}
	sortDependencies(loaded)
	return loaded, origins, nil
}

func checkAPIVersion(files []*archive.BufferedFile) error {
	for _, file := range files {
		if file.Name == "Chart.yaml" {
			var base chartBase
			if err := yaml.Unmarshal(file.Data, &base); err != nil {
				return fmt.Errorf("cannot load Chart.yaml: %w", err)
			}
			if version := base.APIVersion; version != "" && version != chart.APIVersionV1 && version != chart.APIVersionV2 {
				return fmt.Errorf("Chart.yaml has apiVersion %q; v1 and v2 are supported", version)
			}
			return nil
		}
	}
	return errors.New("there is no Chart.yaml in it")
}

// helm has them in the random order of a Go map, and prints their CRDs so. Ours is one of its orders, and always the same.
func sortDependencies(loaded *chart.Chart) {
	dependencies := loaded.Dependencies()
	slices.SortStableFunc(dependencies, func(a, b *chart.Chart) int {
		return cmp.Or(cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Metadata.Version, b.Metadata.Version))
	})
	for _, dependency := range dependencies {
		sortDependencies(dependency)
	}
}

// The names of all files of the chart that .helmignore lets through, relative to the chart.
func chartFiles(folder string, files *tree) ([]string, error) {
	rules := ignore.Empty()
	names := []string{}
	for level := []string{""}; len(level) > 0; {
		folders := []string{}
		found := entriesBelow(folder, level, files)
		if level[0] == "" {
			parsed, err := ignoreRules(folder, found, files)
			if err != nil {
				return nil, err
			}
			rules = parsed
		}
		for _, found := range found {
			info := entryInfo{name: path.Base(found.Name), folder: found.Type != typeFile}
			if rules.Ignore(found.Name, info) {
				continue
			}
			if info.folder {
				folders = append(folders, found.Name)
			} else {
				names = append(names, found.Name)
			}
		}
		level = folders
	}
	slices.SortFunc(names, func(a, b string) int {
		return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
	})
	return names, nil
}

func ignoreRules(folder string, entries []entry, files *tree) (*ignore.Rules, error) {
	rules := ignore.Empty()
	if slices.Contains(entries, entry{Name: ignore.HelmIgnore, Type: typeFile}) {
		parsed, err := ignore.Parse(bytes.NewReader(files.read([]string{path.Join(folder, ignore.HelmIgnore)})[0]))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ignore.HelmIgnore, err)
		}
		rules = parsed
	}
	rules.AddDefaults()
	return rules, nil
}

// What is in the folders of one level, links followed, names relative to the chart: two questions per level, however many folders.
func entriesBelow(folder string, level []string, files *tree) []entry {
	asked := make([]string, len(level))
	for index, name := range level {
		asked[index] = path.Join(folder, name)
	}
	found := []entry{}
	links := []string{}
	for index, entries := range files.list(asked) {
		for _, child := range entries {
			name := path.Join(level[index], child.Name)
			found = append(found, entry{Name: name, Type: child.Type})
			if child.Type == typeLink {
				links = append(links, path.Join(folder, name))
			}
		}
	}
	if len(links) > 0 {
		types := files.typesOf(links)
		for index, next := 0, 0; index < len(found); index++ {
			if found[index].Type == typeLink {
				found[index].Type = types[next]
				next++
			}
		}
	}
	return found
}

// As much of a file as the ignore rules look at. A submodule counts as a folder: listing it makes the tree say what is wrong.
type entryInfo struct {
	name   string
	folder bool
}

func (i entryInfo) Name() string       { return i.name }
func (i entryInfo) Size() int64        { return 0 }
func (i entryInfo) ModTime() time.Time { return time.Time{} }
func (i entryInfo) IsDir() bool        { return i.folder }
func (i entryInfo) Sys() any           { return nil }
func (i entryInfo) Mode() fs.FileMode {
	if i.folder {
		return fs.ModeDir
	}
	return 0
}

//go:build js && wasm

package main

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/yaml"
)

type kustomizeRequest struct {
	Folder        string `json:"folder"`
	Kustomization *struct {
		Path    string `json:"path"`
		Content []byte `json:"content"`
	} `json:"kustomization"`
}

func renderKustomize(asked *kustomizeRequest, root string, files *tree) (rendered, error) {
	system := &treeFileSystem{files: files, root: root, replaced: map[string][]byte{}}
	kustomization := findKustomization(asked, system)
	if kustomization == "" {
		files.requireFolder(asked.Folder)
		return rendered{}, fmt.Errorf("there is none of %s in it", strings.Join(konfig.RecognizedKustomizationFileNames(), ", "))
	}
	text, err := build(system, asked.Folder)
	if err != nil {
		return rendered{}, explain(err, system)
	}
	origins := make([]string, countSections(text))
	for index := range origins {
		origins[index] = kustomization
	}
	if better := findOrigins(system, asked.Folder, kustomization, text); better != nil {
		origins = better
	}
	return rendered{text, origins}, nil
}

// The kustomization file of the folder; the first where there are several, which Kustomize then complains about.
func findKustomization(asked *kustomizeRequest, system *treeFileSystem) string {
	names := konfig.RecognizedKustomizationFileNames()
	if given := asked.Kustomization; given != nil {
		for _, name := range names {
			system.replaced[path.Join(asked.Folder, name)] = nil
		}
		system.replaced[given.Path] = given.Content
		return given.Path
	}
	for _, name := range names {
		if file := path.Join(asked.Folder, name); system.typeAt(file) == typeFile {
			return file
		}
	}
	return ""
}

func build(system *treeFileSystem, folder string) (string, error) {
	result, err := runOnce(system, folder)
	if err != nil {
		return "", err
	}
	text, err := result.AsYaml()
	return string(text), err
}

func runOnce(system *treeFileSystem, folder string) (resmap.ResMap, error) {
	// A schema that a kustomization brings stays in the library's globals: the next render must not see it.
	defer func() {
		if hasOwnSchema() {
			openapi.ResetOpenAPI()
		}
	}()
	result, err := runKustomizer(system, folder)
	if hasOwnSchema() {
		// It came on top of what earlier renders had parsed; on the command line there is nothing before it.
		openapi.ResetOpenAPI()
		return runKustomizer(system, folder)
	}
	return result, err
}

func runKustomizer(system *treeFileSystem, folder string) (resmap.ResMap, error) {
	options := krusty.MakeDefaultOptions()
	// What the command line leaves it at; the library's own default leaves the resources in another order.
	options.Reorder = krusty.ReorderOptionUnspecified
	return krusty.MakeKustomizer(options).Run(system, system.absolute(folder))
}

func hasOwnSchema() bool {
	return openapi.GetSchemaVersion() != defaultSchemaVersion
}

var defaultSchemaVersion = openapi.GetSchemaVersion()

// Which file each resource comes from, from a second run that keeps Kustomize's own notes of it; nil where that run gives anything
// but the same text. The notes are annotations, and a patch can see those, so the first run must do without.
func findOrigins(system *treeFileSystem, folder, kustomization, text string) []string {
	var content map[string]any
	if err := yaml.Unmarshal(system.contentAt(kustomization), &content); err != nil {
		return nil
	}
	metadata, _ := content["buildMetadata"].([]any)
	if slices.Contains(metadata, any(types.OriginAnnotations)) || slices.Contains(metadata, any(types.TransformerAnnotations)) {
		return nil
	}
	content["buildMetadata"] = append(slices.Clone(metadata), types.OriginAnnotations)
	annotated, err := yaml.Marshal(content)
	if err != nil {
		return nil
	}
	system.replaced[kustomization] = annotated
	result, err := runOnce(system, folder)
	if err != nil {
		return nil
	}
	origins := make([]string, 0, result.Size())
	for _, resource := range result.Resources() {
		origin, err := resource.GetOrigin()
		if err != nil || origin == nil {
			origins = append(origins, kustomization)
			continue
		}
		file := origin.Path
		if file == "" {
			file = origin.ConfiguredIn
		}
		origins = append(origins, path.Join(folder, file))
	}
	if err := result.RemoveOriginAnnotations(); err != nil {
		return nil
	}
	if again, err := result.AsYaml(); err != nil || string(again) != text || countSections(text) != len(origins) {
		return nil
	}
	return origins
}

// Refusals that the library words for its command line.
func explain(err error, system *treeFileSystem) error {
	message := err.Error()
	if before, _, found := strings.Cut(message, "must specify --enable-helm"); found {
		return fmt.Errorf("%shelmCharts are refused: a kustomization can run no helm here", before)
	}
	if !fetches.MatchString(message) {
		return err
	}
	for _, file := range system.kustomizations {
		for _, reference := range referencesIn(system.contentAt(file)) {
			if remote.MatchString(reference) {
				return fmt.Errorf("%s names %s, and nothing is fetched: put it into the source tree", file, reference)
			}
		}
	}
	return fmt.Errorf("nothing is fetched, put it into the source tree: %w", err)
}

// The library wanted to fetch, or took an address for a path.
var fetches = regexp.MustCompile(`no 'git' program on path|nothing is fetched|https?:/`)

// The forms of address that the library knows.
var remote = regexp.MustCompile(`://|^git::|^[^/]*@[^/]*:|^(?i:gh:|(www\.)?github\.com[/:])|\.git(/|$|\?)|\?(ref|version)=`)

// All files and folders that a kustomization names.
func referencesIn(content []byte) []string {
	var parsed types.Kustomization
	if err := parsed.Unmarshal(content); err != nil {
		return nil
	}
	parsed.FixKustomization()
	found := slices.Concat(parsed.Resources, parsed.Components, parsed.Crds, parsed.Configurations, parsed.Generators, parsed.Transformers, parsed.Validators)
	found = append(found, parsed.OpenAPI["path"])
	for _, patch := range slices.Concat(parsed.Patches, parsed.PatchesJson6902) {
		found = append(found, patch.Path)
	}
	for _, patch := range parsed.PatchesStrategicMerge {
		found = append(found, string(patch))
	}
	for _, replacement := range parsed.Replacements {
		found = append(found, replacement.Path)
	}
	for _, generator := range parsed.ConfigMapGenerator {
		found = slices.Concat(found, generator.FileSources, generator.EnvSources)
	}
	for _, generator := range parsed.SecretGenerator {
		found = slices.Concat(found, generator.FileSources, generator.EnvSources)
	}
	// Patches and configurations may stand there themselves, over many lines.
	return slices.DeleteFunc(found, func(reference string) bool { return strings.Contains(reference, "\n") })
}

//go:build js && wasm

package main

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
	release "helm.sh/helm/v4/pkg/release/v1"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
	"helm.sh/helm/v4/pkg/strvals"
)

type helmRequest struct {
	Chart                string          `json:"chart"`
	ReleaseName          string          `json:"releaseName"`
	Namespace            string          `json:"namespace"`
	KubeVersion          string          `json:"kubeVersion"`
	APIVersions          []string        `json:"apiVersions"`
	SkipCrds             bool            `json:"skipCrds"`
	SkipTests            bool            `json:"skipTests"`
	SkipSchemaValidation bool            `json:"skipSchemaValidation"`
	ValueFiles           []valueFile     `json:"valueFiles"`
	Values               string          `json:"values"`
	Parameters           []parameter     `json:"parameters"`
	FileParameters       []fileParameter `json:"fileParameters"`
}

type valueFile struct {
	Name    string `json:"name"`
	Content []byte `json:"content"`
}

type parameter struct {
	Name        string `json:"name"`
	Value       string `json:"value"`
	ForceString bool   `json:"forceString"`
}

type fileParameter struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// Does what `helm template` does, in its order: that of the checks decides which of two errors is told.
func renderHelm(asked *helmRequest, files *tree) (rendered, error) {
	values, err := mergeValues(asked)
	if err != nil {
		return rendered{}, err
	}
	loaded, origins, err := loadChart(asked.Chart, files)
	if err != nil {
		return rendered{}, err
	}
	if err := checkInstallable(loaded); err != nil {
		return rendered{}, err
	}
	if err := chartutil.ValidateReleaseName(asked.ReleaseName); err != nil {
		return rendered{}, fmt.Errorf("release name %q: %w", asked.ReleaseName, err)
	}
	if err := chartutil.ProcessDependencies(loaded, values); err != nil {
		return rendered{}, fmt.Errorf("chart dependencies processing failed: %w", err)
	}
	capabilities, err := capabilitiesFor(asked)
	if err != nil {
		return rendered{}, err
	}
	options := common.ReleaseOptions{Name: asked.ReleaseName, Namespace: asked.Namespace, Revision: 1, IsInstall: true}
	context, err := util.ToRenderValuesWithSchemaValidation(loaded, values, options, capabilities, asked.SkipSchemaValidation)
	if err != nil {
		return rendered{}, err
	}
	if wanted := loaded.Metadata.KubeVersion; wanted != "" && !chartutil.IsCompatibleRange(wanted, capabilities.KubeVersion.String()) {
		return rendered{}, fmt.Errorf("chart requires kubeVersion: %s which is incompatible with Kubernetes %s", wanted, capabilities.KubeVersion.Version)
	}
	var templates engine.Engine
	texts, err := templates.Render(loaded, context)
	if err != nil {
		return rendered{}, err
	}
	for name := range texts {
		if strings.HasSuffix(name, "NOTES.txt") {
			delete(texts, name)
		}
	}
	hooks, manifests, err := releaseutil.SortManifests(texts, nil, releaseutil.InstallOrder)
	if err != nil {
		return rendered{}, err
	}
	out := newHelmOutput(origins.of(loaded))
	if !asked.SkipCrds {
		for _, crd := range loaded.CRDObjects() {
			out.add(crd.Filename, string(crd.File.Data))
		}
	}
	for _, manifest := range manifests {
		out.add(manifest.Name, manifest.Content)
	}
	out.endManifests()
	for _, hook := range hooks {
		if !asked.SkipTests || !slices.Contains(hook.Events, release.HookTest) {
			out.add(hook.Path, hook.Manifest)
		}
	}
	return rendered{out.text.String(), out.origins}, nil
}

func mergeValues(asked *helmRequest) (map[string]any, error) {
	merged := map[string]any{}
	sources := asked.ValueFiles
	if asked.Values != "" {
		sources = append(slices.Clone(sources), valueFile{"the application's values", []byte(asked.Values)})
	}
	for _, source := range sources {
		values, err := loader.LoadValues(bytes.NewReader(source.Content))
		if err != nil {
			return nil, fmt.Errorf("failed to parse %s: %w", source.Name, err)
		}
		merged = loader.MergeMaps(merged, values)
	}
	return merged, mergeParameters(asked, merged)
}

// helm takes all of --set, then all of --set-string, then all of --set-file, however they are mixed.
func mergeParameters(asked *helmRequest, merged map[string]any) error {
	for _, given := range asked.Parameters {
		if !given.ForceString {
			if err := strvals.ParseInto(given.Name+"="+given.Value, merged); err != nil {
				return fmt.Errorf("failed parsing --set data: %w", err)
			}
		}
	}
	for _, given := range asked.Parameters {
		if given.ForceString {
			if err := strvals.ParseIntoString(given.Name+"="+given.Value, merged); err != nil {
				return fmt.Errorf("failed parsing --set-string data: %w", err)
			}
		}
	}
	for _, given := range asked.FileParameters {
		if namesSeveral(given.Name) {
			return fmt.Errorf("the file parameter %q is no single name: it has a ',' or '=' without a backslash before it", given.Name)
		}
		content := func([]rune) (any, error) { return given.Content, nil }
		if err := strvals.ParseIntoFile(given.Name+"=content", merged, content); err != nil {
			return fmt.Errorf("failed parsing --set-file data: %w", err)
		}
	}
	return nil
}

func namesSeveral(name string) bool {
	for index := 0; index < len(name); index++ {
		switch name[index] {
		case '\\':
			index++
		case ',', '=':
			return true
		}
	}
	return false
}

func checkInstallable(loaded *chart.Chart) error {
	if kind := loaded.Metadata.Type; kind != "" && kind != "application" {
		return fmt.Errorf("%s charts are not installable", kind)
	}
	missing := []string{}
	for _, wanted := range loaded.Metadata.Dependencies {
		if !slices.ContainsFunc(loaded.Dependencies(), func(found *chart.Chart) bool { return found.Name() == wanted.Name }) {
			missing = append(missing, wanted.Name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("the chart has dependencies in Chart.yaml that are missing in charts/: %s; they are not fetched, so vendor them with 'helm dependency build'", strings.Join(missing, ", "))
	}
	return nil
}

func capabilitiesFor(asked *helmRequest) (*common.Capabilities, error) {
	capabilities := common.DefaultCapabilities.Copy()
	if asked.KubeVersion != "" {
		version, err := common.ParseKubeVersion(asked.KubeVersion)
		if err != nil {
			return nil, fmt.Errorf("invalid kube version '%s': %w", asked.KubeVersion, err)
		}
		capabilities.KubeVersion = *version
	}
	capabilities.APIVersions = slices.Concat(capabilities.APIVersions, asked.APIVersions)
	return capabilities, nil
}

type helmOutput struct {
	text    strings.Builder
	origins []string
	known   map[string]string
}

func newHelmOutput(known map[string]string) *helmOutput {
	return &helmOutput{known: known}
}

func (o *helmOutput) add(name, content string) {
	chunk := fmt.Sprintf("---\n# Source: %s\n%s\n", name, content)
	o.text.WriteString(chunk)
	for range countSections(chunk) {
		o.origins = append(o.origins, o.known[name])
	}
}

// helm prints what is no hook without the space around it, and one line end.
func (o *helmOutput) endManifests() {
	trimmed := strings.TrimSpace(o.text.String())
	o.text.Reset()
	o.text.WriteString(trimmed + "\n")
}

// Where the templates of a chart lie in the tree. A chart that an alias renamed, or that lies in a folder of another name, still has
// the very bytes that were read: they tell.
type chartOrigins struct {
	byContent map[*byte]string
	archives  []string
}

func (o *chartOrigins) of(loaded *chart.Chart) map[string]string {
	known := map[string]string{}
	var visit func(*chart.Chart)
	visit = func(current *chart.Chart) {
		name := current.ChartFullPath()
		for _, file := range slices.Concat(current.Templates, current.Files) {
			if len(file.Data) == 0 {
				continue
			}
			if origin, found := o.byContent[&file.Data[0]]; found {
				known[path.Join(name, file.Name)] = origin
			} else if archive := o.archiveOf(current); archive != "" {
				known[path.Join(name, file.Name)] = archive
			}
		}
		for _, dependency := range current.Dependencies() {
			visit(dependency)
		}
	}
	visit(loaded)
	return known
}

// The packed chart that a chart or one of its parents came in, where its name tells.
func (o *chartOrigins) archiveOf(current *chart.Chart) string {
	for ; current != nil; current = current.Parent() {
		name := fmt.Sprintf("%s-%s.tgz", current.Name(), current.Metadata.Version)
		for _, archive := range o.archives {
			if path.Base(archive) == name {
				return archive
			}
		}
	}
	return ""
}

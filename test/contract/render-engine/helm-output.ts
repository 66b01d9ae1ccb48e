import { describe, expect, it } from 'vitest';
import { chart, chartFile, configMap, failureOf, helm, render, type Subject } from './subject.ts';

const crd = (name: string): string => `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: ${name}\n`;
const hook = (name: string, event: string): string => configMap(name).replace('metadata:\n', `metadata:\n  annotations:\n    helm.sh/hook: ${event}\n`);

const rich = chart({
  'crds/crds.yaml': `${crd('a.example.com')}---\n${crd('b.example.com')}`,
  'templates/config.yaml': `${configMap('one')}---\n${configMap('two')}`,
  'templates/hook.yaml': hook('before', 'pre-install'),
  'templates/tests/check.yaml': hook('check', 'test'),
  'charts/redis/Chart.yaml': chartFile.replace('shop', 'redis'),
  'charts/redis/templates/cache.yaml': configMap('cache'),
  'charts/folder/Chart.yaml': chartFile.replace('shop', 'other-name'),
  'charts/folder/templates/other.yaml': configMap('other'),
});

export function testHelmOutput({ engine }: Subject): void {
  describe('Helm output', () => {
    it('knows the release, its namespace and the cluster that is named', async () => {
      const template = 'kind: A\nis: {{ .Release.Name }} {{ .Release.Namespace }} {{ .Capabilities.KubeVersion.Version }} {{ .Capabilities.APIVersions.Has "example.com/v1/Thing" }} {{ .Capabilities.APIVersions.Has "apps/v1" }}\n';
      const request = helm({ releaseName: 'green', namespace: 'shop-prod', kubeVersion: 'v1.29.4', apiVersions: ['example.com/v1', 'example.com/v1/Thing'] });
      const { text } = await render(engine(), request, chart({ 'templates/a.yaml': template }));
      expect(text).toContain('is: green shop-prod v1.29.4 true true');
    });

    it('has no API version that nobody named', async () => {
      const template = 'kind: A\nis: {{ .Capabilities.APIVersions.Has "example.com/v1" }}\n';
      expect((await render(engine(), helm(), chart({ 'templates/a.yaml': template }))).text).toContain('is: false');
    });

    it('keeps definitions, hooks and tests, and tells the file of each document', async () => {
      const { text, origins } = await render(engine(), helm(), rich);
      const names = [...text.matchAll(/^ {2}name: (.*)$/gm)].map(([, name = '']) => name);
      const told = names.map((name, index) => [name, origins[index]] as const);
      expect(told.filter(([name]) => name !== 'other')).toEqual([
        ['a.example.com', 'charts/web/crds/crds.yaml'],
        ['b.example.com', 'charts/web/crds/crds.yaml'],
        ['cache', 'charts/web/charts/redis/templates/cache.yaml'],
        ['one', 'charts/web/templates/config.yaml'],
        ['two', 'charts/web/templates/config.yaml'],
        ['before', 'charts/web/templates/hook.yaml'],
        ['check', 'charts/web/templates/tests/check.yaml'],
      ]);
      expect(origins).toHaveLength(names.length);
      expect([undefined, 'charts/web/charts/folder/templates/other.yaml']).toContain(Object.fromEntries(told)['other']);
    });

    it('leaves out definitions and tests where that is wanted', async () => {
      const { text } = await render(engine(), helm({ skipCrds: true, skipTests: true }), rich);
      const names = [...text.matchAll(/^ {2}name: (.*)$/gm)].map(([, name]) => name);
      expect(new Set(names)).toEqual(new Set(['before', 'cache', 'one', 'other', 'two']));
    });

    it('may be of a chart at the root of the tree', async () => {
      const { text, origins } = await render(engine(), helm({ chart: '' }), { 'Chart.yaml': chartFile, 'templates/a.yaml': configMap('a') });
      expect({ text, origins }).toEqual({ text: `---\n# Source: shop/templates/a.yaml\n${configMap('a')}`, origins: ['templates/a.yaml'] });
    });

    it('may be nothing', async () => {
      expect((await render(engine(), helm(), chart({ 'templates/a.yaml': '{{ if false }}kind: A{{ end }}\n' }))).text.trim()).toBe('');
    });

    it('has the files and the time zone that the chart sees', async () => {
      const template = 'kind: A\nfile: {{ .Files.Get "conf/a.txt" }}\nzone: {{ date "MST" (now) }}\n';
      const { text } = await render(engine(), helm(), chart({ 'templates/a.yaml': template, 'conf/a.txt': 'hello' }));
      expect(text).toContain('file: hello\nzone: UTC\n');
    });

    it('has nothing of what .helmignore names', async () => {
      const files = chart({ '.helmignore': '# not these\n*.bak\nconf/\n', 'templates/a.yaml': 'kind: A\nfiles: {{ range $path, $content := .Files }}{{ $path }} {{ end }}\n', 'templates/b.yaml.bak': 'kind: [', 'conf/a.txt': 'x', 'kept.txt': 'x' });
      expect((await render(engine(), helm(), files)).text).toMatch(/^files: (?:\.helmignore )?kept\.txt/m);
    });

    const wrong = [
      { what: 'a function that is not there by file and line', template: 'kind: A\n\nx: {{ nope 1 }}\n', says: /templates\/a\.yaml:3.*nope/ },
      { what: 'a failing template by file and line', template: 'kind: A\nx: {{ fail "the reason" }}\n', says: /templates\/a\.yaml:2:.*the reason/ },
      { what: 'an output that is no YAML by its file', template: 'kind: A\nx: [\n', says: /templates\/a\.yaml/ },
      { what: 'a required value that is missing', template: 'kind: A\nx: {{ required "say x" .Values.x }}\n', says: /say x/ },
      { what: 'a template that includes itself without end', template: '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}', says: /./ },
    ];
    it.each(wrong)('names $what', async ({ template, says }) => {
      const { code, message } = await failureOf(render(engine(), helm(), chart({ 'templates/a.yaml': template })));
      expect([code, message]).toEqual(['RenderFailed', expect.stringMatching(says)]);
    });

    it('is refused for a dependency that is not there', async () => {
      const files = chart({ 'Chart.yaml': `${chartFile}dependencies: [{name: redis, version: 1.x, repository: https://127.0.0.1:1/}]\n`, 'templates/a.yaml': configMap('a') });
      const { code, message } = await failureOf(render(engine(), helm(), files));
      expect([code, message]).toEqual(['RenderFailed', expect.stringContaining('redis')]);
    });

    it.each(['--help', 'Not A Name', '', '../x'])('is refused for a release that is called %j', async (releaseName) => {
      const { code } = await failureOf(render(engine(), helm({ releaseName }), chart({ 'templates/a.yaml': configMap('a') })));
      expect(code).toBe('RenderFailed');
    });

    it.each(['not a version', '--help'])('is refused for a cluster of version %j', async (kubeVersion) => {
      const { code } = await failureOf(render(engine(), helm({ kubeVersion }), chart({ 'templates/a.yaml': configMap('a') })));
      expect(code).toBe('RenderFailed');
    });
  });
}

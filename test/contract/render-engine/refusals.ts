import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chart, configMap, failureOf, helm, kustomize, render, type Subject } from './subject.ts';

const references = [
  'https://127.0.0.1:PORT/a.yaml',
  'HTTP://127.0.0.1:PORT/a.yaml',
  'https:/127.0.0.1:PORT/a',
  'http://127.0.0.1:PORT/org/repo.git//x?ref=main',
  'git::http://127.0.0.1:PORT/org/repo',
  'ssh://git@127.0.0.1:PORT/org/repo',
  'git@127.0.0.1:org/repo',
  'file:///etc//x',
  'github.com/org/repo',
];
const fields = [
  { field: 'resources', of: (to: string) => `resources: ["${to}"]` },
  { field: 'Resources in other letters', of: (to: string) => `ReSources: ["${to}"]` },
  { field: 'resources with the letter ſ', of: (to: string) => `reſources: ["${to}"]` },
  { field: 'bases', of: (to: string) => `bases: ["${to}"]` },
  { field: 'components', of: (to: string) => `components: ["${to}"]` },
];
const http = 'http://127.0.0.1:PORT/a.yaml';
const fileFields = [
  { field: 'patches', text: `patches: [{path: "${http}"}]` },
  { field: 'patches that look inline', text: `patchesStrategicMerge: ["${http}#a: b"]` },
  { field: 'replacements', text: `replacements: [{path: "${http}"}]` },
  { field: 'crds', text: `crds: ["${http}"]` },
  { field: 'configurations', text: `configurations: ["${http}"]` },
  { field: 'openapi', text: `openapi: {path: "${http}"}` },
  { field: 'generated files', text: `configMapGenerator: [{name: a, files: ["k=${http}"]}]` },
  { field: 'generated variables', text: `secretGenerator: [{name: a, envs: ["${http}"]}]` },
  { field: 'transformers', text: `transformers: ["${http}"]` },
  { field: 'helmCharts', text: `helmCharts: [{name: a, repo: "${http}"}]` },
  { field: 'helmcharts in other letters', text: `HELMCHARTS: [{name: a, repo: "${http}"}]` },
  { field: 'helmChartInflationGenerator', text: `helmChartInflationGenerator: [{chartName: a, chartRepoUrl: "${http}"}]` },
];

export function testRefusals({ engine }: Subject): void {
  describe('nothing from outside', () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url ?? '');
      response.end('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: fetched\n');
    }).on('connection', () => seen.push('a connection'));
    let port = '';
    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      port = String((server.address() as AddressInfo).port);
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });
    const withPort = (text: string): string => text.replaceAll('PORT', port);

    const matrix = fields.flatMap(({ field, of }) => references.map((reference) => ({ field, reference, of })));
    it.each(matrix)('is fetched for $field: $reference', async ({ reference, of }) => {
      const files = { 'k/kustomization.yaml': `${of(withPort(reference))}\n` };
      const { code } = await failureOf(render(engine(), kustomize('k'), files));
      expect([code, seen]).toEqual(['RenderFailed', []]);
    });

    it('is fetched even where a folder of that name is there', async () => {
      const files = { 'k/kustomization.yaml': 'resources: [github.com/org/repo]\n', 'k/github.com/org/repo/kustomization.yaml': 'resources: []\n' };
      expect((await failureOf(render(engine(), kustomize('k'), files))).code).toBe('RenderFailed');
    });

    it.each(fileFields)('is fetched for $field', async ({ text }) => {
      const files = { 'k/kustomization.yaml': `resources: [a.yaml]\n${withPort(text)}\n`, 'k/a.yaml': configMap('a') };
      const { code } = await failureOf(render(engine(), kustomize('k'), files));
      expect([code, seen]).toEqual(['RenderFailed', []]);
    });

    it.each(['../../outside', '/etc', '../../../../../../etc/kubernetes', 'a/../../../x'])('is read for the resource %s', async (reference) => {
      const files = { 'k/kustomization.yaml': `resources: ["${reference}"]\n` };
      const { code, message } = await failureOf(render(engine(), kustomize('k'), files));
      expect([code, message]).toEqual(['RenderFailed', expect.stringContaining(reference)]);
    });

    it.each(['/etc/hostname', '../../../../../../../../etc/hostname'])('is read for the generated file %s', async (reference) => {
      const files = { 'k/kustomization.yaml': `configMapGenerator: [{name: a, files: ["${reference}"]}]\n` };
      expect((await failureOf(render(engine(), kustomize('k'), files))).code).toBe('RenderFailed');
    });

    const schemas = [
      { what: 'a schema elsewhere', schema: { $ref: 'http://127.0.0.1:PORT/schema.json' } },
      { what: 'a file of the machine', schema: { $ref: 'file:///etc/hostname' } },
      { what: 'a file beside it', schema: { properties: { a: { $ref: 'other.json#/x' } } } },
      { what: 'one that its own id leads to', schema: { $id: 'http://127.0.0.1:PORT/a/', properties: { a: { $ref: 'b.json' } } } },
      { what: 'another kind of schema', schema: { $schema: 'http://127.0.0.1:PORT/meta.json' } },
    ];
    it.each(schemas)('is fetched for a values schema that refers to $what', async ({ schema }) => {
      const files = chart({ 'values.yaml': 'a: 1\n', 'values.schema.json': withPort(JSON.stringify(schema)), 'templates/a.yaml': configMap('a') });
      const { code } = await failureOf(render(engine(), helm(), files));
      expect([code, seen]).toEqual(['RenderFailed', []]);
    });

    it('is needed for a values schema that refers to its own parts', async () => {
      const schema = { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'https://example.com/root.json', definitions: { n: { $id: 'n.json', type: 'integer' } }, properties: { a: { $ref: '#/definitions/n' }, b: { $ref: 'n.json' } } };
      const files = chart({ 'values.yaml': 'a: 1\nb: 2\n', 'values.schema.json': JSON.stringify(schema), 'templates/a.yaml': configMap('a') });
      expect((await render(engine(), helm(), files)).text).toContain('name: a\n');
    });

    it('of the environment, the cluster or the name service is seen by a chart', async () => {
      const template = 'kind: A\nx: "{{ getHostByName "localhost" }}{{ lookup "v1" "Namespace" "" "default" | toJson }}"\n';
      expect((await render(engine(), helm(), chart({ 'templates/a.yaml': template }))).text).toContain('x: "{}"\n');
      const { code } = await failureOf(render(engine(), helm(), chart({ 'templates/a.yaml': 'x: {{ env "HOME" }}\n' })));
      expect(code).toBe('RenderFailed');
    });
  });
}

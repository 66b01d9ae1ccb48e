// Byte for byte what `helm template` and `kubectl kustomize` print, on odd charts and overlays.
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRenderEngine } from '../../render-engine/build.ts';
import type { EngineOutput, EngineRequest } from '../../src/render/engine/engine.ts';
import { createWasmEngine } from '../../src/render/engine/wasm/index.ts';
import { splitDocuments } from '../../src/render/yaml/split-documents.ts';
import { chartCases } from '../fixtures/render/charts.ts';
import { configMap, overlayCases } from '../fixtures/render/overlays.ts';
import { helmRequest } from '../support/helm-request.ts';
import { memoryTree } from '../support/memory-tree.ts';
import { helm, helmTemplate, kubectlKustomize, readFiles, writeFiles } from '../support/oracle-render.ts';
import { tempFolder } from '../support/temp-folder.ts';

const engine = createWasmEngine();
const signal = AbortSignal.timeout(600_000);

beforeAll(async () => {
  await buildRenderEngine();
}, 600_000);
afterAll(() => engine.close());

async function render(folder: string, request: EngineRequest): Promise<EngineOutput> {
  const output = await engine.render(request, memoryTree(await readFiles(folder)), signal);
  const documents = splitDocuments(output.text.trimStart(), { index: 1, line: 1 }).at(-1)?.index ?? 0;
  expect(output.origins, 'one origin for each document').toHaveLength(documents);
  return output;
}

describe('helm template', () => {
  test.each(chartCases)('prints the same for $name', async ({ files, packed = [], request: given = {}, has }) => {
    await using folder = await tempFolder();
    await using scratch = await tempFolder();
    await writeFiles(folder.path, files);
    for (const [from, to] of packed) {
      await mkdir(join(folder.path, to), { recursive: true });
      expect(await helm('package', join(folder.path, from), '--destination', join(folder.path, to))).toHaveProperty('text');
    }
    const request = helmRequest(given);
    const { text, origins } = await render(folder.path, request);
    expect({ text }).toEqual(await helmTemplate(folder.path, request, scratch.path));
    expect(text).toContain(has);
    const existing = Object.keys(await readFiles(folder.path));
    expect(origins.filter((origin) => origin === undefined || !existing.includes(origin))).toEqual([]);
  });

  test('prints the same for what helm create makes', async () => {
    await using folder = await tempFolder();
    await using scratch = await tempFolder();
    await helm('create', join(folder.path, 'chart'));
    const request = helmRequest({
      parameters: [
        { name: 'ingress.enabled', value: 'true', forceString: false },
        { name: 'autoscaling.enabled', value: 'true', forceString: false },
      ],
    });
    const { text, origins } = await render(folder.path, request);
    expect({ text }).toEqual(await helmTemplate(folder.path, request, scratch.path));
    expect(origins).toContain('chart/templates/hpa.yaml');
    expect(origins).toContain('chart/templates/tests/test-connection.yaml');
  });
});

describe('links that stay in the tree', () => {
  const [shared, target] = ['kind: {{ .Release.Name }}\n', configMap('b')];

  test('are followed in a chart, to files and to folders', async () => {
    await using folder = await tempFolder();
    await using scratch = await tempFolder();
    const files = { 'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 0.1.0\n', 'shared/one.yaml': shared, 'shared/more/two.yaml': shared, 'chart/templates/own.yaml': shared };
    const links = { 'chart/templates/one.yaml': '../../shared/one.yaml', 'chart/templates/more': '../../shared/more' };
    await writeFiles(folder.path, files);
    for (const [from, to] of Object.entries(links)) await symlink(to, join(folder.path, from));
    const tree = memoryTree({ ...files, ...Object.fromEntries(Object.entries(links).map(([from, link]) => [from, { link }])) });
    const { text } = await engine.render(helmRequest(), tree, signal);
    expect({ text }).toEqual(await helmTemplate(folder.path, helmRequest(), scratch.path));
    expect(text).toContain('# Source: web/templates/more/two.yaml');
  });

  test('are followed in a kustomization', async () => {
    await using folder = await tempFolder();
    const files = { 'overlay/kustomization.yaml': 'resources: [link.yaml, base]\n', 'overlay/sub/b.yaml': target, 'base/kustomization.yaml': 'resources: [c.yaml]\n', 'base/c.yaml': configMap('c') };
    const links = { 'overlay/link.yaml': 'sub/b.yaml', 'overlay/base': '../base' };
    await writeFiles(folder.path, files);
    for (const [from, to] of Object.entries(links)) await symlink(to, join(folder.path, from));
    const tree = memoryTree({ ...files, ...Object.fromEntries(Object.entries(links).map(([from, link]) => [from, { link }])) });
    const { text } = await engine.render({ type: 'kustomize', folder: 'overlay', kustomization: undefined }, tree, signal);
    expect({ text }).toEqual(await kubectlKustomize(join(folder.path, 'overlay')));
    expect(text).toContain('name: c');
  });
});

describe('kubectl kustomize', () => {
  test.each(overlayCases)('prints the same for $name', async ({ files, has }) => {
    await using folder = await tempFolder();
    await writeFiles(folder.path, files);
    const { text, origins } = await render(folder.path, { type: 'kustomize', folder: 'overlay', kustomization: undefined });
    expect({ text }).toEqual(await kubectlKustomize(join(folder.path, 'overlay')));
    expect(text).toContain(has);
    expect(origins.filter((origin) => origin === undefined || !Object.hasOwn(files, origin))).toEqual([]);
  });

  test('names the file of each resource, and the kustomization of what it generates', async () => {
    await using folder = await tempFolder();
    await writeFiles(folder.path, {
      'base/kustomization.yaml': 'resources: [b.yaml]\nconfigMapGenerator: [{name: gen, literals: [a=b]}]\n',
      'base/b.yaml': configMap('b'),
      'overlay/kustomization.yaml': 'resources: [../base, a.yaml]\nnamePrefix: z-\n',
      'overlay/a.yaml': configMap('a'),
    });
    const { text, origins } = await render(folder.path, { type: 'kustomize', folder: 'overlay', kustomization: undefined });
    const names = [...text.matchAll(/^ {2}name: (\S+)/gm)].map((match) => match[1]?.replace(/-[a-z0-9]{10}$/, ''));
    expect(Object.fromEntries(names.map((name, index) => [name, origins[index]]))).toEqual({
      'z-a': 'overlay/a.yaml',
      'z-b': 'base/b.yaml',
      'z-gen': 'base/kustomization.yaml',
    });
  });

  test('builds with a kustomization that takes the place of the one in the folder', async () => {
    await using folder = await tempFolder();
    const inPlace = 'resources: [a.yaml]\nnamePrefix: replaced-\n';
    await writeFiles(folder.path, { 'overlay/Kustomization': 'resources: [missing.yaml]\n', 'overlay/a.yaml': configMap('a') });
    const kustomization = { path: 'overlay/kustomization.yaml', content: Buffer.from(inPlace) };
    const { text } = await render(folder.path, { type: 'kustomize', folder: 'overlay', kustomization });
    await using other = await tempFolder();
    await writeFiles(other.path, { 'kustomization.yaml': inPlace, 'a.yaml': configMap('a') });
    expect({ text }).toEqual(await kubectlKustomize(other.path));
  });
});

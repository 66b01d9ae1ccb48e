import { afterAll, describe, expect, test } from 'vitest';
import type { RenderOptions, SourceKind } from '../../../src/model/index.ts';
import type { Engine, EngineOutput, EngineRequest } from '../../../src/render/engine/engine.ts';
import { createRenderer, createYamlReader, type OpenSource, type Rendered } from '../../../src/render/index.ts';
import { memoryTree, type MemoryFiles } from '../../support/memory-tree.ts';

const yaml = createYamlReader({ workers: 1 });
afterAll(() => yaml.close());

const { signal } = new AbortController();
const context = { name: 'shop', namespace: 'default', capabilities: undefined };
const object = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

interface Watched {
  readonly requests: readonly EngineRequest[];
  readonly kinds: readonly SourceKind[];
  render(sources: readonly OpenSource[]): Promise<Rendered>;
}

function watched(output: EngineOutput = { text: object('made'), origins: [] }, limits: { readonly bytes?: number; readonly documents?: number } = {}): Watched {
  const requests: EngineRequest[] = [];
  const kinds: SourceKind[] = [];
  const engine: Engine = {
    version: () => Promise.resolve('1'),
    render: (request) => {
      requests.push(request);
      return Promise.resolve(output);
    },
    close: () => Promise.resolve(),
  };
  const renderer = createRenderer({ engine, yaml, limits, onRender: (kind) => void kinds.push(kind) });
  return { requests, kinds, render: (sources) => renderer.render(sources, context, signal) };
}

function source(files: MemoryFiles, path: string | undefined = 'web', options: RenderOptions = {}): OpenSource {
  return { tree: memoryTree(files), path, ref: undefined, options };
}

const origins = ({ documents }: Rendered): readonly string[] => documents.map(({ origin }) => origin);
const render = (files: MemoryFiles, options: RenderOptions = {}): Promise<Rendered> => watched().render([source(files, 'web', options)]);

test('plain files are read in the order of their paths, with file and document as origin', async () => {
  const rendered = await render({ 'web/b.yaml': object('b1') + '---\n' + object('b2'), 'web/a.json': JSON.stringify({ apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } }) });
  expect(origins(rendered)).toEqual(['web/a.json#1', 'web/b.yaml#1', 'web/b.yaml#2']);
});

test.each(['web', './web', 'web/', 'x/../web', '/web', './web/.'])('%j is the folder web', async (path) => {
  expect(origins(await watched().render([source({ 'web/a.yaml': object('a') }, path)]))).toEqual(['web/a.yaml#1']);
});

test.each(['.', '', './', '/'])('%j is the root', async (path) => {
  expect(origins(await watched().render([source({ 'a.yaml': object('a') }, path)]))).toEqual(['a.yaml#1']);
});

test.each(['..', '../web', 'web/../..', 'file:///etc', 'a\0b', 'web\\..'])('the path %j is refused', async (path) => {
  await expect(watched().render([source({ 'web/a.yaml': object('a') }, path)])).rejects.toMatchObject({ code: 'PathInvalid' });
});

test('several sources come one after the other, and those that only lend files are left out', async () => {
  const made = watched();
  const lent: OpenSource = { tree: memoryTree({ 'prod.yaml': 'a: 1' }), path: undefined, ref: 'values', options: {} };
  const chart = source({ 'web/Chart.yaml': '' }, 'web', { helm: { valueFiles: ['$values/prod.yaml'] } });
  const rendered = await made.render([source({ 'db/x.yaml': object('x') }, 'db'), lent, chart]);
  expect(origins(rendered)).toEqual(['db/x.yaml#1', 'web#1']);
  expect(made.kinds).toEqual(['directory', 'helm']);
  expect(made.requests).toMatchObject([{ type: 'helm', chart: 'web', valueFiles: [{ name: '$values/prod.yaml' }] }]);
});

test('an engine\'s documents have the files it names as origins, counted in each', async () => {
  const text = ['a', 'b', 'c', 'd'].map(object).join('---\n');
  const rendered = await watched({ text, origins: ['web/t/x.yaml', 'web/t/x.yaml', undefined, 'web/t/y.yaml'] }).render([source({ 'web/kustomization.yaml': '' })]);
  expect(origins(rendered)).toEqual(['web/t/x.yaml#1', 'web/t/x.yaml#2', 'web#1', 'web/t/y.yaml#1']);
});

describe('nothing is not taken for success', () => {
  test.each<[string, MemoryFiles, RenderOptions, string, RegExp]>([
    ['no such path', { 'db/a.yaml': '' }, {}, 'PathNotFound', /no path web/],
    ['no manifest', { 'web/README.md': '' }, {}, 'PathNotFound', /recurse/],
    ['no manifest below', { 'web/README.md': '' }, { directory: { recurse: true } }, 'PathNotFound', /no \.yaml/],
    ['no manifest let through', { 'web/a.yaml': object('a') }, { directory: { exclude: '*' } }, 'PathNotFound', /include and exclude/],
    ['empty files', { 'web/a.yaml': '', 'web/b.yaml': '# x\n' }, {}, 'InvalidManifest', /no Kubernetes object in web/],
    ['a skipped file', { 'web/a.yaml': `# +argocd:skip-file-rendering\n${object('a')}` }, {}, 'InvalidManifest', /no Kubernetes object/],
    ['a chart inside', { 'web/a.yaml': object('a'), 'web/sub/Chart.yaml': '' }, { directory: { recurse: true } }, 'InvalidManifest', /Helm chart/],
    ['a submodule', { web: { submodule: true } }, {}, 'PathInvalid', /submodule/],
    ['a link out', { web: { link: '../out' } }, {}, 'PathInvalid', /leads out/],
  ])('%s', async (_name, files, options, code, message) => {
    await expect(render(files, options)).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string });
  });

  test('an engine that prints nothing', async () => {
    await expect(watched({ text: '', origins: [] }).render([source({ 'web/Chart.yaml': '' })])).rejects.toMatchObject({ code: 'InvalidManifest' });
  });
});

test('a file that is marked for it is left out, others are not', async () => {
  const skipped = `{{ not yaml }}\n# +argocd:skip-file-rendering\n`;
  expect(await render({ 'web/a.yaml': skipped, 'web/b.yaml': object('b') })).toMatchObject({ documents: [{ origin: 'web/b.yaml#1' }], findings: [] });
});

test('a Git LFS pointer is a finding of its file, whether the tree tells or not', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 3\n';
  const inner = memoryTree({ 'web/a.yaml': object('a'), 'web/big.yaml': pointer });
  const { SetpointError } = await import('../../../src/model/index.ts');
  const telling = { ...inner, read: (path: string) => (path === 'web/big.yaml' ? Promise.reject(new SetpointError('PathInvalid', 'web/big.yaml is a Git LFS pointer')) : inner.read(path)) };
  for (const tree of [inner, telling]) {
    const { documents, findings } = await watched().render([{ tree, path: 'web', ref: undefined, options: {} }]);
    expect(documents).toHaveLength(1);
    expect(findings).toMatchObject([{ severity: 'error', origin: 'web/big.yaml#1', message: expect.stringContaining('LFS') as string }]);
  }
});

describe('limits', () => {
  const large = { code: 'SourceTooLarge' };
  const filler = (name: string, bytes: number): string => {
    const start = `${object(name)}data: {x: "`;
    return `${start}${'y'.repeat(bytes - start.length - 3)}"}
`;
  };

  test('ten MiB together are the limit, told by its number', async () => {
    const files = Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`web/${at}.yaml`, filler(`f${at}`, 2.5 * 2 ** 20)]));
    expect((await render(files)).documents).toHaveLength(4);
    await expect(render({ ...files, 'web/z.yaml': object('z') })).rejects.toMatchObject({ ...large, message: expect.stringContaining('10485760 bytes') as string });
  });

  test('bytes count over all sources, plain or rendered', async () => {
    const chart = source({ 'web/Chart.yaml': '' });
    const plain = source({ 'web/a.yaml': filler('a', 600) });
    const made = watched({ text: filler('made', 600), origins: [] }, { bytes: 1000 });
    for (const sources of [[chart, plain], [plain, chart], [plain, plain], [chart, chart]]) await expect(made.render(sources)).rejects.toMatchObject({ ...large, message: expect.stringContaining('1000 bytes') as string });
    expect((await made.render([chart])).documents).toHaveLength(1);
  });

  test('reading stops at the limit', async () => {
    const reads: string[] = [];
    const inner = memoryTree(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`web/${at + 10}.yaml`, filler(`f${at}`, 400)])));
    const read = (path: string): Promise<Uint8Array> => {
      reads.push(path);
      return inner.read(path);
    };
    await expect(watched(undefined, { bytes: 1000 }).render([{ tree: { ...inner, read }, path: 'web', ref: undefined, options: {} }])).rejects.toMatchObject(large);
    expect(reads.length).toBeLessThan(5);
  });

  test('a number of objects is the limit, in files and in lists', async () => {
    const list = { apiVersion: 'v1', kind: 'List', items: Array.from({ length: 4 }, (_, at) => ({ apiVersion: 'v1', kind: 'A', metadata: { name: `a${at}` } })) };
    const made = watched(undefined, { documents: 3 });
    await expect(made.render([source({ 'web/a.json': JSON.stringify(list) })])).rejects.toMatchObject({ ...large, message: expect.stringContaining('3 objects') as string });
    expect((await made.render([source({ 'web/a.json': JSON.stringify({ ...list, items: list.items.slice(1) }) })])).documents).toHaveLength(3);
  });

  test('50,000 objects are the limit by default', async () => {
    const items = Array.from({ length: 50_001 }, (_, at) => ({ kind: 'A', apiVersion: 'v', metadata: { name: `${at}` } }));
    const parts = Object.fromEntries([0, 1, 2, 3, 4, 5].map((at) => [`web/${at}.json`, JSON.stringify({ kind: 'List', apiVersion: 'v1', items: items.slice(at * 10_000, (at + 1) * 10_000) })]));
    await expect(render(parts)).rejects.toMatchObject({ ...large, message: expect.stringContaining('50000 objects') as string });
  });

  test('one file over four MiB is a finding of that file', async () => {
    const { documents, findings } = await render({ 'web/a.yaml': object('a'), 'web/b.yaml': `# ${'x'.repeat(4 * 2 ** 20)}\n` });
    expect(documents).toHaveLength(1);
    expect(findings).toMatchObject([{ severity: 'error', origin: 'web/b.yaml#1' }]);
  });
});

test('what the signal stops is stopped', async () => {
  const renderer = createRenderer({ engine: { version: () => Promise.resolve(''), render: () => Promise.reject(new Error('never')), close: () => Promise.resolve() }, yaml });
  await expect(renderer.render([source({ 'web/a.yaml': object('a') })], context, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
});

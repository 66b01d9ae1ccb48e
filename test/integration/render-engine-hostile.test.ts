// Charts and kustomizations that mean harm: a typed error, nothing read that is not theirs, and the next render is fine.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildRenderEngine } from '../../render-engine/build.ts';
import { SetpointError, type ErrorCode } from '../../src/model/index.ts';
import type { Engine, EngineRequest } from '../../src/render/engine/engine.ts';
import { createWasmEngine } from '../../src/render/engine/wasm/index.ts';
import { configMap } from '../fixtures/render/overlays.ts';
import { helmRequest } from '../support/helm-request.ts';
import { memoryTree, type MemoryFiles } from '../support/memory-tree.ts';

const engine = createWasmEngine({ deadlineMs: 40_000, outputBytes: 1024 * 1024 });
/** For what never ends. */
const hasty = createWasmEngine({ deadlineMs: 8000, maxWorkers: 1 });
const signal = AbortSignal.timeout(900_000);
const overlay = { type: 'kustomize', folder: 'deep/in/overlay', kustomization: undefined } as const;

beforeAll(async () => {
  await buildRenderEngine();
  await fineRenders();
}, 600_000);
afterEach(() => fineRenders());
afterAll(() => Promise.all([engine.close(), hasty.close()]));

async function fineRenders(): Promise<void> {
  await Promise.all([engine, hasty].map(fineRender));
}

async function fineRender(by: Engine): Promise<void> {
  const tree = memoryTree({
    'chart/Chart.yaml': 'apiVersion: v2\nname: fine\nversion: 0.1.0\n',
    'chart/templates/a.yaml': 'kind: {{ .Release.Name }}\n',
    'deep/in/overlay/kustomization.yaml': 'resources: [a.yaml]\n',
    'deep/in/overlay/a.yaml': configMap('a'),
  });
  const [fromHelm, fromKustomize] = await Promise.all([by.render(helmRequest(), tree, signal), by.render(overlay, tree, signal)]);
  expect(fromHelm.text).toContain('kind: rel');
  expect(fromKustomize.text).toBe('apiVersion: v1\ndata:\n  key: value\nkind: ConfigMap\nmetadata:\n  name: a\n');
}

/** The canary lies where a path would lead that is cut off at the root, and beside the folder. */
const canaries: MemoryFiles = {
  'etc/passwd': 'CANARY',
  'etc/passwd.yaml': configMap('CANARY'),
  'deep/in/outside.yaml': configMap('CANARY'),
};

async function refusal(request: EngineRequest, files: MemoryFiles, by = engine): Promise<SetpointError> {
  const ended = await by.render(request, memoryTree({ ...files, ...canaries }), signal).then(
    ({ text }) => new Error(`it rendered: ${text.slice(0, 1000)}`),
    (error: unknown) => error,
  );
  if (!(ended instanceof SetpointError)) throw ended;
  expect(ended.message).not.toContain('CANARY');
  expect(ended.message.length).toBeLessThan(2200);
  return ended;
}

function chart(files: MemoryFiles): MemoryFiles {
  return {
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 0.1.0\n',
    ...Object.fromEntries(Object.entries(files).map(([name, content]) => [`chart/${name}`, content])),
  };
}

interface HostileChart {
  readonly name: string;
  readonly files: MemoryFiles;
  readonly code: ErrorCode;
  readonly says: RegExp;
}

const template = (text: string): MemoryFiles => chart({ 'templates/a.yaml': text });

const hostileCharts: readonly HostileChart[] = [
  { name: 'loops for ever', files: template('{{ range 1000000000000 }}{{ end }}'), code: 'RenderTimeout', says: /in chart was not rendered within 8 s/ },
  { name: 'loops over a list without end', files: template('{{ range until 2000000000 }}{{ end }}'), code: 'SourceTooLarge', says: /memory/ },
  { name: 'includes itself', files: template('{{ define "x" }}{{ include "x" . }}{{ end }}{{ include "x" . }}'), code: 'RenderFailed', says: /nested reference|depth/ },
  { name: 'calls itself', files: template('{{ define "x" }}{{ template "x" . }}{{ end }}{{ template "x" . }}'), code: 'RenderFailed', says: /depth/ },
  { name: 'allocates without end', files: template('{{ $a := list 1 }}{{ range 100 }}{{ $a = concat $a $a }}{{ end }}'), code: 'SourceTooLarge', says: /memory/ },
  { name: 'doubles a string without end', files: template('{{ $a := "x" }}{{ range 100 }}{{ $a = print $a $a }}{{ end }}'), code: 'SourceTooLarge', says: /memory/ },
  { name: 'prints without end', files: template('{{ range 1000000000000 }}a: {{ "some longer text that fills up the memory" }}\n{{ end }}'), code: 'SourceTooLarge', says: /memory/ },
  { name: 'prints more than is allowed', files: template('{{ range 100000 }}# some comment\n{{ end }}\na: b\n'), code: 'SourceTooLarge', says: /1048576/ },
  { name: 'has values that unfold like a bomb', files: chart({ 'values.yaml': bomb(12) }), code: 'RenderFailed', says: /alias/ },
  { name: 'fails on purpose', files: template('{{ fail "because" }}'), code: 'RenderFailed', says: /because/ },
  { name: 'asks for the environment', files: template('{{ env "HOME" }}'), code: 'RenderFailed', says: /function "env" not defined/ },
  { name: 'is a library', files: chart({ 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 0.1.0\ntype: library\n' }), code: 'RenderFailed', says: /not installable/ },
  {
    name: 'has dependencies that nobody vendored',
    files: chart({ 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 0.1.0\ndependencies: [{name: db, version: 1.0.0, repository: "https://example.com"}]\n' }),
    code: 'RenderFailed',
    says: /db.*helm dependency build/,
  },
  { name: 'prints no YAML', files: template('a: b: c\n'), code: 'RenderFailed', says: /web\/templates\/a\.yaml/ },
  { name: 'has no YAML for values', files: chart({ 'values.yaml': 'a: [\n' }), code: 'RenderFailed', says: /values\.yaml/ },
  { name: 'has a packed dependency that is none', files: chart({ 'charts/x-1.0.0.tgz': 'no archive' }), code: 'RenderFailed', says: /x-1\.0\.0\.tgz/ },
  { name: 'is of an unknown apiVersion', files: chart({ 'Chart.yaml': 'apiVersion: v9\nname: web\nversion: 0.1.0\n' }), code: 'RenderFailed', says: /v9/ },
  { name: 'needs another Kubernetes', files: chart({ 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 0.1.0\nkubeVersion: ">=9"\n' }), code: 'RenderFailed', says: /incompatible/ },
  { name: 'has a link that leads out', files: chart({ 'templates/a.yaml': { link: '../../../etc/passwd' } }), code: 'PathInvalid', says: /leads out/ },
  { name: 'has a link that is absolute', files: chart({ 'templates/a.yaml': { link: '/etc/passwd' } }), code: 'PathInvalid', says: /leads out/ },
  { name: 'has links in a circle', files: chart({ a: { link: 'b' }, b: { link: 'a' } }), code: 'PathInvalid', says: /circle/ },
  { name: 'nests in itself by a link', files: chart({ 'templates/x/again': { link: '..' } }), code: 'PathInvalid', says: /circle/ },
  { name: 'has a submodule', files: chart({ 'charts/sub': { submodule: true } }), code: 'PathInvalid', says: /submodule/ },
  {
    name: 'has more files than are allowed',
    files: chart(Object.fromEntries(Array.from({ length: 5001 }, (_, index) => [`f/${index}`, '']))),
    code: 'SourceTooLarge',
    says: /5000 files/,
  },
  { name: 'has a file that is too large', files: chart({ 'big.bin': new Uint8Array(6 * 1024 * 1024) }), code: 'SourceTooLarge', says: /chart\/big\.bin/ },
  {
    name: 'has more bytes than are allowed',
    files: chart(Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`f/${index}`, new Uint8Array(4 * 1024 * 1024)]))),
    code: 'SourceTooLarge',
    says: /bytes/,
  },
  ...['https://example.com/schema.json', 'http://127.0.0.1:9/schema.json', 'file:///etc/passwd', 'other.json', '../../etc/passwd'].map(
    (reference): HostileChart => ({
      name: `refers from its schema to ${reference}`,
      files: chart({ 'values.yaml': 'a: 1\n', 'values.schema.json': JSON.stringify({ properties: { a: { $ref: reference } } }), 'other.json': '{}' }),
      code: 'RenderFailed',
      says: new RegExp(reference.split('/').at(-1) ?? ''),
    }),
  ),
  {
    name: 'has values that its schema forbids',
    files: chart({ 'values.yaml': 'a: text\n', 'values.schema.json': '{"properties": {"a": {"type": "integer"}}}' }),
    code: 'RenderFailed',
    says: /'\/a': got string, want integer/,
  },
];

function bomb(levels: number): string {
  const line = (index: number): string => `l${index}: &l${index} [${Array.from({ length: 9 }, () => (index === 0 ? 'x' : `*l${index - 1}`)).join(', ')}]`;
  return `${Array.from({ length: levels }, (_, index) => line(index)).join('\n')}\n`;
}

describe('a chart', () => {
  test.each(hostileCharts)('that $name is refused', async ({ files, code, says }) => {
    const error = await refusal(helmRequest(), files, code === 'RenderTimeout' ? hasty : engine);
    expect({ code: error.code, message: error.message }).toEqual({ code, message: expect.stringMatching(says) });
  });

  // The real helm takes gigabytes and dies. How far ours gets before the deadline depends on the machine.
  test('that evaluates itself by way of tpl is refused', async () => {
    const files = chart({ 'values.yaml': 'x: "{{ tpl .Values.x . }}"\n', 'templates/a.yaml': '{{ tpl .Values.x . }}' });
    const { code } = await refusal(helmRequest(), files, hasty);
    expect(['RenderTimeout', 'RenderFailed', 'SourceTooLarge']).toContain(code);
  });

  test.each([
    { name: 'a file parameter that names two', request: helmRequest({ fileParameters: [{ name: 'x=/etc/passwd,y', content: '' }] }), says: /no single name/ },
    { name: 'a parameter that is none', request: helmRequest({ parameters: [{ name: 'a[x]', value: '1', forceString: false }] }), says: /--set/ },
    { name: 'a parameter with an endless index', request: helmRequest({ parameters: [{ name: 'a[99999999]', value: '1', forceString: false }] }), says: /index/ },
    { name: 'a release name that is none', request: helmRequest({ releaseName: '../x' }), says: /release name/ },
    { name: 'a Kubernetes version that is none', request: helmRequest({ kubeVersion: 'new' }), says: /invalid kube version 'new'/ },
    { name: 'values that are no map', request: helmRequest({ values: '[1]' }), says: /the application's values/ },
    { name: 'a value file that is no YAML', request: helmRequest({ valueFiles: [{ name: 'env/prod.yaml', content: Buffer.from('a: [') }] }), says: /env\/prod\.yaml/ },
  ])('is refused with $name', async ({ request, says }) => {
    const error = await refusal(request, template('a: b\n'));
    expect({ code: error.code, message: error.message }).toEqual({ code: 'RenderFailed', message: expect.stringMatching(says) });
  });

  test.each([
    { name: 'chart', request: helmRequest({ chart: 'not/there' }) },
    { name: 'kustomization', request: { ...overlay, folder: 'not/there' } },
  ])('or $name whose folder is not there is the error of the tree', async ({ request }) => {
    expect(await refusal(request, {})).toMatchObject({ code: 'PathNotFound', message: 'not/there: there is no such folder' });
  });
});

const escapes = [
  '../../../etc/passwd',
  '../../../../../../../../etc/passwd.yaml',
  '/etc/passwd',
  '../outside.yaml',
  '..%2foutside.yaml',
  '%2e%2e/outside.yaml',
  '..\\outside.yaml',
  'sub/../../outside.yaml',
  'nul\u0000.yaml',
  './/..//outside.yaml',
  'file:///etc/passwd',
];

const fields: readonly (readonly [string, (path: string) => object])[] = [
  ['components', (path) => ({ components: [path] })],
  ['configMapGenerator files', (path) => ({ configMapGenerator: [{ name: 'c', files: [`key=${path}`] }] })],
  ['secretGenerator envs', (path) => ({ secretGenerator: [{ name: 'c', envs: [path] }] })],
  ['patches', (path) => ({ resources: ['a.yaml'], patches: [{ path }] })],
  ['patchesStrategicMerge', (path) => ({ resources: ['a.yaml'], patchesStrategicMerge: [path] })],
  ['patchesJson6902', (path) => ({ resources: ['a.yaml'], patchesJson6902: [{ path, target: { version: 'v1', kind: 'ConfigMap', name: 'a' } }] })],
  ['replacements', (path) => ({ resources: ['a.yaml'], replacements: [{ path }] })],
  ['openapi', (path) => ({ resources: ['a.yaml'], openapi: { path } })],
  ['crds', (path) => ({ resources: ['a.yaml'], crds: [path] })],
  ['configurations', (path) => ({ resources: ['a.yaml'], configurations: [path] })],
  ['transformers', (path) => ({ resources: ['a.yaml'], transformers: [path] })],
  ['resources', (path) => ({ resources: [path] })],
];

function kustomization(content: object | string, more: MemoryFiles = {}): MemoryFiles {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return { 'deep/in/overlay/kustomization.yaml': text, 'deep/in/overlay/a.yaml': configMap('a'), 'deep/in/overlay/sub/b.yaml': configMap('b'), ...more };
}

const remotes = [
  'https://github.com/example/repo//base?ref=v1',
  'github.com/example/repo/base?ref=v1',
  'git@github.com:example/repo.git//base',
  'ssh://git@example.com/repo.git',
  'git::https://example.com/repo.git//base',
  'https://example.com/resource.yaml',
  'http://127.0.0.1:9/resource.yaml',
];

/** Some fields only take files: there, what is no http address is a name; and a file of a generator can have no second `=`. */
function isFetched(field: string, remote: string): boolean {
  if (field === 'configMapGenerator files' && remote.includes('=')) return false;
  return remote.startsWith('http') || ['resources', 'components', 'transformers'].includes(field);
}

interface HostileKustomization {
  readonly name: string;
  readonly files: MemoryFiles;
  readonly code?: ErrorCode;
  readonly says: RegExp;
}

const hostileKustomizations: readonly HostileKustomization[] = [
  { name: 'inflates a chart', files: kustomization({ helmCharts: [{ name: 'x', repo: 'https://example.com' }] }), says: /helmCharts are refused/ },
  { name: 'inflates a chart in other letters', files: kustomization({ HELMCharts: [{ name: 'x', repo: 'https://example.com' }] }), says: /helmCharts are refused|unknown field/ },
  { name: 'inflates a chart the old way', files: kustomization({ helmChartInflationGenerator: [{ chartName: 'x' }] }), says: /helmCharts are refused/ },
  {
    name: 'inflates a chart by a generator',
    files: kustomization({ generators: ['g.yaml'] }, { 'deep/in/overlay/g.yaml': 'apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: x}\nname: x\n' }),
    says: /helmCharts are refused/,
  },
  ...(['exec: {path: ./run.sh}', 'container: {image: example.com/fn}', 'starlark: {path: x.star, name: x}'] as const).flatMap((functionSpec) =>
    (['generators', 'transformers', 'validators'] as const).map(
      (field): HostileKustomization => ({
        name: `runs a function (${functionSpec}) by ${field}`,
        files: kustomization(
          { resources: ['a.yaml'], [field]: ['f.yaml'] },
          { 'deep/in/overlay/f.yaml': `apiVersion: example.com/v1\nkind: Fn\nmetadata:\n  name: f\n  annotations:\n    config.kubernetes.io/function: |\n      ${functionSpec}\n` },
        ),
        says: /external plugins disabled/,
      }),
    ),
  ),
  { name: 'is its own base', files: kustomization({ resources: ['.'] }), says: /cycle detected/ },
  { name: 'has its parent for a base', files: kustomization({ resources: ['..'] }), says: /cycle detected/ },
  {
    name: 'goes in a circle',
    files: kustomization({ resources: ['../other'] }, { 'deep/in/other/kustomization.yaml': 'resources: [../overlay]\n' }),
    says: /cycle detected/,
  },
  { name: 'has no resources', files: kustomization({}), says: /empty/ },
  { name: 'is no YAML', files: kustomization('resources: ['), says: /yaml/i },
  { name: 'has an unknown field', files: kustomization({ resources: ['a.yaml'], nonsense: 1 }), says: /nonsense/ },
  { name: 'has a missing resource', files: kustomization({ resources: ['none.yaml'] }), says: /deep\/in\/overlay\/none\.yaml/ },
  { name: 'has two files', files: kustomization({ resources: ['a.yaml'] }, { 'deep/in/overlay/Kustomization': '' }), says: /multiple/ },
  { name: 'has the same object twice', files: kustomization({ resources: ['a.yaml', 'c.yaml'] }, { 'deep/in/overlay/c.yaml': configMap('a') }), says: /already registered|conflict/ },
  { name: 'unfolds like a bomb', files: kustomization({ resources: ['b.yaml'] }, { 'deep/in/overlay/b.yaml': `${configMap('b')}${bomb(12)}` }), code: 'SourceTooLarge', says: /memory/ },
  { name: 'has a link that leads out', files: kustomization({ resources: ['l.yaml'] }, { 'deep/in/overlay/l.yaml': { link: '../../../../etc/passwd' } }), code: 'PathInvalid', says: /leads out/ },
  { name: 'has a base that is a submodule', files: kustomization({ resources: ['../sub'] }, { 'deep/in/sub': { submodule: true } }), code: 'PathInvalid', says: /submodule/ },
  { name: 'nests in itself by a link', files: kustomization({ resources: ['again'] }, { 'deep/in/overlay/again': { link: '.' } }), code: 'PathInvalid', says: /circle/ },
];

describe('a kustomization', () => {
  describe.each(fields)('with %s', (_field, make) => {
    test.each(escapes)('%j does not get out of its folder', async (path) => {
      const error = await refusal(overlay, kustomization(make(path)));
      expect(['RenderFailed', 'PathInvalid']).toContain(error.code);
    });
  });

  describe.each(fields)('with %s from elsewhere', (field, make) => {
    test.each(remotes.filter((remote) => isFetched(field, remote)))('%s fetches nothing and names it', async (remote) => {
      const error = await refusal(overlay, kustomization(make(remote)));
      const named = field === 'configMapGenerator files' ? `key=${remote}` : remote;
      expect({ code: error.code, message: error.message }).toEqual({
        code: 'RenderFailed',
        message: expect.stringContaining(`deep/in/overlay/kustomization.yaml names ${named}, and nothing is fetched`),
      });
    });
  });

  test.each(hostileKustomizations)('that $name is refused', async ({ files, code = 'RenderFailed', says }) => {
    const error = await refusal(overlay, files, code === 'RenderTimeout' ? hasty : engine);
    expect({ code: error.code, message: error.message }).toEqual({ code, message: expect.stringMatching(says) });
  });

  test('that nests 1,200 bases renders', async () => {
    const levels = Array.from({ length: 1200 }, (_, index) => [`n/${index}/kustomization.yaml`, `resources: [../${index + 1}]\n`] as const);
    const files = { ...Object.fromEntries(levels), 'n/1200/kustomization.yaml': 'resources: [a.yaml]\n', 'n/1200/a.yaml': configMap('a') };
    const { text, origins } = await engine.render({ ...overlay, folder: 'n/0' }, memoryTree(files), signal);
    expect(text).toContain('name: a');
    expect(origins).toEqual(['n/1200/a.yaml']);
  });
});

import { describe, expect, test } from 'vitest';
import { declaredApplication, type DeclaredApplication } from '../../../src/apps/index.ts';
import type { JsonObject } from '../../../src/model/index.ts';

const source = { repoURL: 'https://git.example.com/fleet', path: 'web' };

function read(spec: JsonObject, apiVersion = 'argoproj.io/v1alpha1'): DeclaredApplication {
  return declaredApplication({ apiVersion, kind: 'Application', metadata: { name: 'shop' }, spec });
}

test.each(['argoproj.io/v1alpha1', 'setpoint.dev/v1'])('an Application of %s is read', (apiVersion) => {
  expect(read({ source, destination: { namespace: 'shop-ns' } }, apiVersion)).toEqual({
    name: 'shop',
    namespace: 'shop-ns',
    sources: [{ repository: 'https://git.example.com/fleet', revision: 'HEAD', path: 'web', ref: undefined, options: {} }],
    unsupported: [],
  });
});

test('sources win over source, unless there are none', () => {
  const other = { ...source, path: 'other', targetRevision: 'v1' };
  expect(read({ source, sources: [other] }).sources).toMatchObject([{ path: 'other', revision: 'v1' }]);
  expect(read({ source, sources: [] }).sources).toMatchObject([{ path: 'web', revision: 'HEAD' }]);
  expect(read({ source, sources: null }).sources).toMatchObject([{ path: 'web' }]);
});

test.each([
  ['no path', { repoURL: 'r', ref: 'values' }, undefined],
  ['an empty path', { repoURL: 'r', ref: 'values', path: '' }, undefined],
  ['a path', { repoURL: 'r', ref: 'values', path: 'x' }, 'x'],
])('a source with a ref and %s lends files, and is rendered only with a path', (_name, lending, path) => {
  expect(read({ sources: [source, lending] }).sources[1]).toMatchObject({ ref: 'values', path });
});

test('empty texts are as good as nothing', () => {
  expect(read({ source: { ...source, targetRevision: '', ref: '' } }).sources).toMatchObject([{ revision: 'HEAD', ref: undefined }]);
});

describe('what cannot be read is refused by the name of the field', () => {
  test.each<[string, unknown, RegExp]>([
    ['no document', null, /got nothing nothing/],
    ['another kind', { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject' }, /got argoproj.io\/v1alpha1 AppProject/],
    ['another group', { apiVersion: 'example.com/v1', kind: 'Application' }, /setpoint.dev or argoproj.io/],
    ['no name', { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: {} }, /metadata.name: a value is wanted, got nothing/],
    ['no spec', { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'a' } }, /no spec/],
  ])('%s', (_name, document, message) => {
    expect(() => declaredApplication(document as JsonObject)).toThrow(expect.objectContaining({ code: 'Usage', message: expect.stringMatching(message) as string }));
  });

  test.each<[string, JsonObject, RegExp]>([
    ['no source', {}, /spec: source or sources is wanted, got neither/],
    ['a text as source', { source: 'x' }, /spec.source: a map is wanted, got a text/],
    ['no URL', { source: { path: 'a' } }, /spec.source.repoURL: a value is wanted, got nothing/],
    ['an empty URL', { source: { repoURL: '', path: 'a' } }, /spec.source.repoURL: a value is wanted, got nothing/],
    ['no path', { source: { repoURL: 'r' } }, /spec.source.path: a folder of the repository is wanted, got nothing/],
    ['nothing to render', { sources: [{ repoURL: 'r', ref: 'a' }] }, /spec.sources: a source with a path is wanted/],
    ['one ref twice', { sources: [source, { repoURL: 'r', ref: 'a' }, { repoURL: 's', ref: 'a' }] }, /spec.sources: a ref of its own/],
    ['a chart of a registry', { source: { repoURL: 'r', chart: 'redis' } }, /spec.source.chart: is not supported/],
    ['a plugin', { sources: [{ ...source, plugin: { name: 'x' } }] }, /spec.sources\[0\].plugin: is not supported/],
    ['two kinds', { source: { ...source, helm: { releaseName: 'r' }, directory: { recurse: true } } }, /got both directory and helm/],
    ['a number as path', { source: { repoURL: 'r', path: 1 } }, /spec.source.path: a text is wanted, got a number/],
    ['a text as flag', { source: { ...source, directory: { recurse: 'true' } } }, /directory.recurse: true or false is wanted, got a text/],
    ['numbers among value files', { source: { ...source, helm: { valueFiles: [1] } } }, /helm.valueFiles: a list of texts is wanted, got a list with a number in it/],
    ['a parameter without a name', { source: { ...source, helm: { parameters: [{ value: 'x' }] } } }, /helm.parameters\[0\].name: a value is wanted/],
    ['a file parameter without a path', { source: { ...source, helm: { fileParameters: [{ name: 'x' }] } } }, /helm.fileParameters\[0\].path: a value is wanted/],
    ['labels that are no texts', { source: { ...source, kustomize: { commonLabels: { a: 1 } } } }, /kustomize.commonLabels: a map of texts/],
    ['replicas without a name', { source: { ...source, kustomize: { replicas: [{ count: 1 }] } } }, /kustomize.replicas\[0\].name: a value is wanted/],
    ['replicas without a count', { source: { ...source, kustomize: { replicas: [{ name: 'web' }] } } }, /kustomize.replicas\[0\].count: a value is wanted/],
    ['replicas that are no number', { source: { ...source, kustomize: { replicas: [{ name: 'web', count: 'many' }] } } }, /replicas\[0\].count: a whole number/],
    ['a patch that is no map', { source: { ...source, kustomize: { patches: ['x'] } } }, /kustomize.patches: a list of maps/],
  ])('%s', (_name, spec, message) => {
    expect(() => read(spec)).toThrow(expect.objectContaining({ code: 'Usage', message: expect.stringMatching(message) as string }));
  });

  test('and never with its value, which may be a password', () => {
    const parameters = [{ name: 'password', value: 48_151_623 }];
    expect(() => read({ source: { ...source, helm: { parameters } } })).toThrow(expect.not.stringContaining('48151623'));
    expect(() => read({ source: { ...source, helm: { parameters } } })).toThrow('parameters[0].value: a text is wanted, got a number');
  });
});

describe('the kind', () => {
  test.each<[string, JsonObject, string | undefined]>([
    ['nothing', {}, undefined],
    ['an empty block', { helm: {} }, undefined],
    ['a block that says nothing', { directory: { recurse: false, include: '' }, kustomize: { images: [] } }, undefined],
    ['helm', { helm: { releaseName: 'r' } }, 'helm'],
    ['kustomize beside an empty block', { helm: { valueFiles: [] }, kustomize: { namePrefix: 'x-' } }, 'kustomize'],
    ['directory', { directory: { recurse: true } }, 'directory'],
  ])('is as stated by %s', (_name, blocks, kind) => {
    expect(read({ source: { ...source, ...blocks } }).sources[0]?.options.kind).toBe(kind);
  });
});

describe('Helm', () => {
  const helm = (block: JsonObject): unknown => read({ source: { ...source, helm: block } }).sources[0]?.options.helm;

  test('takes the map of values before the text', () => {
    expect(helm({ values: 'a: 1', valuesObject: { b: { c: [1, 'x'] } } })).toEqual({ values: '{"b":{"c":[1,"x"]}}' });
    expect(helm({ values: 'a: 1' })).toEqual({ values: 'a: 1' });
    expect(helm({ values: 'a: 1', valuesObject: null })).toEqual({ values: 'a: 1' });
  });

  test('keeps integers of values exact', () => {
    expect(helm({ valuesObject: { big: 9_007_199_254_740_993n } })).toEqual({ values: '{"big":9007199254740993}' });
  });

  test.each([
    ['a,b', String.raw`a\,b`],
    [String.raw`a\,b,c`, String.raw`a\,b\,c`],
    ['{a,b}', '{a,b}'],
    ['{a,b', String.raw`{a\,b`],
    [',', String.raw`\,`],
    ['', ''],
    ['plain=x', 'plain=x'],
  ])('takes the parameter %j as %s', (value, expected) => {
    expect(helm({ parameters: [{ name: 'p', value, forceString: true }] })).toEqual({ parameters: [{ name: 'p', value: expected, forceString: true }] });
  });

  test('takes a parameter without a value as empty', () => {
    expect(helm({ parameters: [{ name: 'p' }] })).toEqual({ parameters: [{ name: 'p', value: '' }] });
  });

  test('takes all else as it is written', () => {
    const block = {
      releaseName: 'r', valueFiles: ['a.yaml', '$values/b.yaml'], ignoreMissingValueFiles: true, fileParameters: [{ name: 'f', path: 'x' }], namespace: 'n', kubeVersion: 'v1.30.0',
      apiVersions: ['v1'], skipCrds: true, skipTests: true, skipSchemaValidation: true,
    };
    expect(helm(block)).toEqual(block);
  });
});

test('Kustomize takes everything as it is written', () => {
  const kustomize = {
    namePrefix: 'a-', nameSuffix: '-z', namespace: 'n', images: ['a:1'], replicas: [{ name: 'web', count: 3 }, { name: 'db', count: '2' }], commonLabels: { a: 'b' }, forceCommonLabels: true,
    labelWithoutSelector: true, labelIncludeTemplates: true, commonAnnotations: { c: 'd' }, forceCommonAnnotations: true, patches: [{ patch: 'x', target: { kind: 'Deployment' } }],
    components: ['../c'], ignoreMissingComponents: true,
  };
  expect(read({ source: { ...source, kustomize } }).sources[0]?.options).toEqual({ kind: 'kustomize', kustomize });
});

test('fields that mean nothing here are named, and have no effect', () => {
  const { sources, unsupported } = read({ source: { ...source, helm: { releaseName: 'r', passCredentials: true, version: 'v3' }, directory: null, other: 1 } });
  expect(unsupported).toEqual(['spec.source.helm.passCredentials', 'spec.source.helm.version', 'spec.source.other']);
  expect(sources[0]?.options).toEqual({ kind: 'helm', helm: { releaseName: 'r' } });
  expect(read({ sources: [source, { ...source, directory: { recurse: true, jsonnet: { libs: ['a'] } } }] }).unsupported).toEqual(['spec.sources[1].directory.jsonnet']);
});

test('names of JavaScript are data', () => {
  const kustomize = JSON.parse('{"commonLabels":{"constructor":"x","__proto__":"y"},"__proto__":{"namePrefix":"evil-"},"toString":"z"}') as JsonObject;
  const { sources, unsupported } = read({ source: { ...source, kustomize } });
  expect(sources[0]?.options.kustomize?.namePrefix).toBeUndefined();
  expect(unsupported).toEqual(['spec.source.kustomize.__proto__', 'spec.source.kustomize.toString']);
});

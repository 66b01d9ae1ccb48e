import { describe, expect, test } from 'vitest';
import { importArgocd, type Imported } from '../../../src/import/index.ts';
import { parseJson, stringifyJson, type Json, type JsonObject, type KubeObject } from '../../../src/model/index.ts';

const source = { repoURL: 'https://git.example.com/acme/fleet', targetRevision: 'main', path: 'web' };

function argocd(spec: JsonObject, rest: JsonObject = {}): KubeObject {
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'web', namespace: 'argocd' }, spec: { source, destination: { namespace: 'shop' }, ...spec }, ...rest };
}

function told(imported: Imported): readonly string[] {
  return imported.type === 'foreign' ? [] : imported.differences.map(({ path, type }) => `${type} ${path}`);
}

const specOf = (imported: Imported): Json | undefined => (imported.type === 'converted' ? imported.document['spec'] : undefined);

describe('what it is asked about', () => {
  test.each([
    ['an object of Kubernetes', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }],
    ['an Application of ours', { apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name: 'a' }, spec: {} }],
    ['another kind of the Argo project', { apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow', metadata: { name: 'a' }, spec: {} }],
    ['an Application of somebody else', { apiVersion: 'app.k8s.io/v1beta1', kind: 'Application', metadata: { name: 'a' }, spec: {} }],
  ])('%s is none of Argo CD’s documents', (_, document) => {
    expect(importArgocd(document)).toEqual({ type: 'foreign' });
  });

  test('a document is not changed by being imported', () => {
    const document = argocd({ project: 'x', info: [{ name: 'a', value: 'b' }], ignoreDifferences: [{ kind: 'Secret', jsonPointers: ['/data'] }] });
    const before = stringifyJson(document);
    importArgocd(document);
    expect(stringifyJson(document)).toBe(before);
  });

  test.each<[string, Json]>([
    ['no spec', null],
    ['a text for a spec', 'web'],
    ['a list for a spec', []],
    ['sources that are no list', { sources: 'web' }],
    ['a source that is no map', { source: 7 }],
    ['rules that are no list', { source, ignoreDifferences: 'all' }],
    ['a policy that is no map', { source, syncPolicy: { automated: 'yes' } }],
  ])('%s is refused, not thrown at', (_, spec) => {
    const imported = importArgocd({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'web' }, spec });
    expect(imported).toMatchObject({ type: 'refused', differences: expect.arrayContaining([expect.objectContaining({ type: 'refused' })]) as unknown });
  });

  test('names that JavaScript has for itself are data', () => {
    const spec = parseJson(`{ "source": ${stringifyJson(source)}, "__proto__": { "a": 1 }, "constructor": { "b": 2 } }`);
    const imported = importArgocd({ ...argocd({}), spec });
    expect(told(imported)).toEqual(['left-out spec.__proto__', 'left-out spec.constructor']);
    expect(specOf(imported)).toEqual({ source });
  });
});

describe('fields without effect', () => {
  test('are all left out and all named, however many there are', () => {
    const odd = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`odd${index}`, true]));
    const imported = importArgocd(argocd(odd));
    expect(specOf(imported)).toEqual({ source, destination: { namespace: 'shop' } });
    expect(told(imported)).toEqual(Object.keys(odd).map((name) => `left-out spec.${name}`));
  });

  test('are named as far as that goes where their names are too long to be shown', () => {
    const odd = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${'x'.repeat(100)}${index}`, true]));
    const imported = importArgocd(argocd(odd));
    expect(imported).toMatchObject({ type: 'converted', differences: expect.arrayContaining([{ path: '', type: 'left-out', message: 'and 10 more' }]) as unknown });
  });

  test('are left out also where their name has dots, spaces and quotes in it', () => {
    expect(specOf(importArgocd(argocd({ 'a. "b" c': { deep: 1 } })))).toEqual({ source, destination: { namespace: 'shop' } });
  });

  test('take the blocks with them that held nothing else, but not automated', () => {
    const imported = importArgocd(argocd({ source: { ...source, helm: { version: 'v3' } }, syncPolicy: { automated: { allowEmpty: true }, retry: { limit: 3 }, syncOptions: ['Odd=1', 'Odd=2'] } }));
    expect(specOf(imported)).toEqual({ source, destination: { namespace: 'shop' }, syncPolicy: { automated: {} } });
  });

  test('of a list leave the others in their order', () => {
    const imported = importArgocd(argocd({ syncPolicy: { syncOptions: ['Odd=1', 'CreateNamespace=true', 'Odd=2', 'PruneLast=true', 'Odd=3'] } }));
    expect(specOf(imported)).toMatchObject({ syncPolicy: { syncOptions: ['CreateNamespace=true', 'PruneLast=true'] } });
    expect(told(imported)).toEqual([0, 2, 4].map((index) => `left-out spec.syncPolicy.syncOptions[${index}]`));
  });
});

describe('variables of a build', () => {
  const withParameter = (value: string): Imported => importArgocd(argocd({ source: { ...source, helm: { parameters: [{ name: 'a', value }] } } }));

  test.each([
    ['$ARGOCD_APP_NAME', 'web'],
    ['${ARGOCD_APP_NAME}-x', 'web-x'],
    ['$ARGOCD_APP_NAMESPACE/$ARGOCD_APP_SOURCE_PATH', 'shop/web'],
    ['$ARGOCD_APP_PROJECT_NAME', 'default'],
    ['$$2a$$10$$hash', '$2a$10$hash'],
    ['100 $', '100 $'],
    ['plain', 'plain'],
  ])('%s is %s', (value, wanted) => {
    expect(specOf(withParameter(value))).toMatchObject({ source: { helm: { parameters: [{ value: wanted }] } } });
  });

  test.each(['$ARGOCD_APP_REVISION', 'x-${ARGOCD_APP_REVISION_SHORT}', '$KUBE_VERSION', 'pa$word', '${HOME}'])('%s is refused: nobody knows it before it is rendered', (value) => {
    const imported = withParameter(value);
    expect(told(imported)).toEqual(['refused spec.source.helm.parameters[0].value']);
    expect(stringifyJson(imported as unknown as JsonObject)).not.toContain('word');
  });
});

describe('revisions', () => {
  const at = (targetRevision: string): Imported => importArgocd(argocd({ source: { ...source, targetRevision } }));

  test.each(['main', 'HEAD', 'v1.4.0', '1.4', 'refs/tags/v1', 'release-1.x-fixes', 'feature/a=b', 'fix,more', 'deadbeef', '20260131', '4e9c9170aa1b2c3d4e5f60718293a4b5c6d7e8f9'])('%s is a name or a whole id', (revision) => {
    expect(at(revision)).toMatchObject({ type: 'converted', document: { spec: { source: { targetRevision: revision } } } });
  });

  test.each(['*', '1.*', 'v1.4.x', '^1.2', '~1.2.3', '>=1.0.0-alpha', '>1 <3', '1.2 - 1.4', '1.2 || 1.4', '4e9c917'])('%s is something that is worked out, and refused', (revision) => {
    expect(told(at(revision))).toEqual(['refused spec.source.targetRevision']);
  });
});

describe('Jsonnet', () => {
  const jsonnet = { tlas: [{ name: 'env', value: 'prod' }] };

  test.each<[string, JsonObject]>([
    ['with variables', { jsonnet }],
    ['among all files', { jsonnet, recurse: true, include: '*' }],
    ['among others', { jsonnet, include: '{*.yaml,*.jsonnet}' }],
    ['in folders', { jsonnet, include: '{a,b}/*' }],
  ])('%s is refused: what it declares would be missing', (_name, directory) => {
    const imported = importArgocd(argocd({ source: { ...source, directory } }));
    expect(told(imported)).toEqual(['refused spec.source.directory.jsonnet']);
  });

  test.each<[string, JsonObject, readonly string[]]>([
    ['that nothing is said of', { jsonnet: {}, recurse: true }, []],
    ['beside YAML files, which alone are read', { jsonnet, include: '{a,b}/*.yaml' }, ['left-out spec.source.directory.jsonnet']],
    ['beside files of these endings, which alone are read', { jsonnet, include: '*.{yaml,yml,json}' }, ['left-out spec.source.directory.jsonnet']],
    ['beside these files, which alone are read', { jsonnet, include: '{*.yaml,*.yml}' }, ['left-out spec.source.directory.jsonnet']],
  ])('%s is none', (_name, directory, differences) => {
    const imported = importArgocd(argocd({ source: { ...source, directory } }));
    expect(imported.type).toBe('converted');
    expect(told(imported)).toEqual(differences);
  });
});

describe('rules that are lost', () => {
  const lost = { kind: 'Deployment', group: 'apps', jqPathExpressions: ['to_entries'] };

  test('stop what would put back the fields that they were about', () => {
    const imported = importArgocd(argocd({ syncPolicy: { automated: { selfHeal: true } }, ignoreDifferences: [lost] }));
    expect(specOf(imported)).toEqual({ source, destination: { namespace: 'shop' }, syncPolicy: { automated: { selfHeal: true, enabled: false } } });
    expect(told(imported)).toEqual(['left-out spec.ignoreDifferences[0].jqPathExpressions[0]', 'rewritten spec.syncPolicy.automated.enabled']);
  });

  test('stop nothing where nothing is automatic', () => {
    expect(specOf(importArgocd(argocd({ ignoreDifferences: [lost] })))).toEqual({ source, destination: { namespace: 'shop' } });
  });
});

// Pure twins of the catalogue (test/catalogue): the same ids, for rules that need no server to be checked.
import { describe, expect, test } from 'vitest';
import { compareObjects, droppedFields, identify, merged, orphanCandidates, predictSecret, rewrittenPaths, secretObstacle, tagWith, volatilePaths } from '../../../src/diff/index.ts';
import { fieldManager, type Diff, type Json, type JsonObject, type KubeObject, type Schema, type ServedKind } from '../../../src/model/index.ts';
import { base64, configMap, configMapKind, liveOf, manifestOf, secret, secretKind } from './fixtures.ts';

function canonical(object: KubeObject, kind: ServedKind): KubeObject | undefined {
  return identify([{ origin: 'a.yaml#1', object }], () => ({ type: 'served', kind }), 'shop').manifests[0]?.manifest.object;
}

describe('what Git may say and never decides is left out', () => {
  const kindOf = (group: string, kind: string): ServedKind => ({ group, version: 'v1', kind, resource: 'things', namespaced: false, hasStatus: true });
  const aggregated = { clusterRoleSelectors: [] };
  const rule = { verbs: ['get'] };

  test.each<[string, JsonObject, JsonObject]>([
    ['S5: rules of an aggregated role', { aggregationRule: aggregated, rules: [] }, { aggregationRule: aggregated }],
    ['S5: but not those of any other role', { rules: [rule] }, { rules: [rule] }],
    ['S6: nor an empty list of them', { rules: [] }, { rules: [] }],
  ])('%s', (_name, content, left) => {
    const head = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'a' } };
    expect(canonical({ ...head, ...content }, kindOf('rbac.authorization.k8s.io', 'ClusterRole'))).toEqual({ ...head, ...left });
  });

  const shapes: readonly [string, string, (config: JsonObject) => JsonObject][] = [
    ['admissionregistration.k8s.io', 'MutatingWebhookConfiguration', (config) => ({ webhooks: [{ name: 'a', clientConfig: config }] })],
    ['admissionregistration.k8s.io', 'ValidatingWebhookConfiguration', (config) => ({ webhooks: [{ name: 'a', clientConfig: config }] })],
    ['apiregistration.k8s.io', 'APIService', (config) => ({ spec: config })],
    ['apiextensions.k8s.io', 'CustomResourceDefinition', (config) => ({ spec: { conversion: { webhook: { clientConfig: config } } } })],
  ];
  test.each(shapes)('S7: an empty bundle of %s/%s, and no other', (group, kind, shape) => {
    const object = (config: JsonObject): KubeObject => ({ apiVersion: `${group}/v1`, kind, metadata: { name: 'a' }, ...shape({ port: 1, ...config }) });
    for (const empty of ['', base64('\n'), null]) expect(canonical(object({ caBundle: empty }), kindOf(group, kind))).toEqual(object({}));
    expect(canonical(object({ caBundle: base64('x') }), kindOf(group, kind))).toEqual(object({ caBundle: base64('x') }));
  });
});

describe('Secrets', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['V12: null and the empty text are no bytes', { data: { a: null, b: '' } }, { a: '', b: '' }],
    ['V12: under stringData too', { stringData: { a: null, b: '' } }, { a: '', b: '' }],
    ['V10: stringData is data', { stringData: { a: 'x' }, data: { a: base64('y'), b: base64('z') } }, { a: base64('x'), b: base64('z') }],
  ])('%s', (_name, content, data) => {
    expect(canonical(secret(content), secretKind)?.['data']).toEqual(data);
  });

  test.each<[string, JsonObject, JsonObject, boolean]>([
    ['another value of an immutable one', { data: { a: 'MQ==' }, immutable: true }, { data: { a: 'Mg==' }, immutable: true }, true],
    ['a label of an immutable one', { data: { a: 'MQ==' }, immutable: true }, { data: { a: 'MQ==' }, immutable: true }, false],
    ['an immutable one that is to thaw', { immutable: true }, { immutable: false }, true],
    ['another type', { type: 'a' }, { type: 'b' }, true],
    ['another value', { data: { a: 'MQ==' } }, { data: { a: 'Mg==' } }, false],
  ])('%s: in place or not', (_name, live, desired, isObstacle) => {
    const predicted = predictSecret(secret(live), secret(desired), fieldManager);
    expect(secretObstacle(secret(live), predicted) !== undefined).toBe(isObstacle);
  });
});

const text: Schema = { type: 'scalar', format: 'plain' };
const texts: Schema = { type: 'map', element: { schema: text }, atomic: false };
const struct = (fields: Readonly<Record<string, Schema>>): Schema => ({
  ...{ type: 'struct', atomic: false, open: false, builtIn: true },
  fields: new Map(Object.entries(fields).map(([name, schema]) => [name, { schema }])),
});
const schema = struct({ metadata: struct({ labels: texts, annotations: texts }), data: texts });

function entry(manager: string, fields: JsonObject, operation = 'Update'): JsonObject {
  return { manager, operation, apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: fields };
}

describe('orphans', () => {
  const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
  const recorded = { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } };
  const held = { 'f:data': { 'f:a': {}, 'f:b': {} } };
  const find = (live: KubeObject, record?: JsonObject): readonly string[] => orphanCandidates({ desired: configMap({ a: '1' }), live, recorded: record, schema });
  const both = (managers: readonly Json[]): KubeObject => configMap({ a: '1', b: '1' }, { managedFields: managers });

  test.each<[string, readonly string[], readonly string[]]>([
    ['O3: what client-side apply holds', find(both([entry('kubectl-client-side-apply', held)]), recorded), ['/data/b']],
    ['O4: what nobody holds any more', find(both([]), recorded), ['/data/b']],
    ['O4: what a person holds by now', find(both([entry('kubectl-edit', held)]), recorded), ['/data/b']],
    ['O4: not what a controller holds by now', find(both([entry('operator', held)]), recorded), []],
    ['O4: not what another deploy tool holds by now', find(both([entry('argocd-controller', held, 'Apply')]), recorded), []],
    ['O1: not what we hold: an apply removes it', find(both([entry(fieldManager, held, 'Apply')]), recorded), []],
    ['nothing that was never in Git', find(configMap({ a: '1', c: '1' }), recorded), []],
    ['nothing without a record', find(both([]), undefined), []],
    [
      'O3: what the record of kubectl names, without one of ours',
      find(configMap({ a: '1', b: '1' }, { annotations: { [lastApplied]: JSON.stringify(configMap({ a: '1', b: '1' }, { annotations: {} })) } })),
      ['/data/b'],
    ],
    [
      'V11: what that record has of a Secret as text',
      find(secret({ data: { a: 'MQ==', b: 'MQ==' } }, { annotations: { [lastApplied]: JSON.stringify(secret({ stringData: { a: '1', b: '1' } }, { annotations: {} })) } })),
      ['/data/b'],
    ],
    ['P15: not the annotation that is that record', find(configMap({ a: '1' }, { annotations: { [lastApplied]: JSON.stringify(configMap({ a: '1' }, { annotations: {} })) } })), []],
  ])('%s', (_name, found, expected) => {
    expect(found).toEqual(expected);
  });
});

describe('what goes with the first apply of what client-side apply wrote', () => {
  const either = struct({ metadata: struct({ labels: texts, annotations: texts }), spec: struct({ one: struct({ a: text, b: text }), other: struct({ a: text }) }) });
  const holder = (fields: JsonObject): KubeObject => ({ apiVersion: 'v1', kind: 'Probe', metadata: { name: 'env', namespace: 'shop' }, spec: fields });
  const applied = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(holder({ one: { a: '1' } })) };
  const held = { 'f:spec': { 'f:one': { '.': {}, 'f:a': {}, 'f:b': {} } } };
  const live = (managers: readonly Json[], annotations: JsonObject = applied): KubeObject => {
    const object = holder({ one: { a: '1', b: 'filled in' } });
    return { ...object, metadata: { ...object.metadata, annotations, managedFields: managers } };
  };
  const find = (object: KubeObject, desired = holder({ other: { a: '1' } })): readonly string[] => droppedFields({ desired, live: object, schema: either });
  const byKubectl = entry('kubectl-client-side-apply', held);

  test.each<[string, readonly string[], readonly string[]]>([
    ['a map that Git has no more, with what was filled in', find(live([byKubectl])), ['/spec/one']],
    ['nothing that Git still has', find(live([byKubectl]), holder({ one: { a: '2' } })), []],
    ['of a map that a controller has something in, the rest', find(live([byKubectl, entry('operator', { 'f:spec': { 'f:one': { 'f:b': {} } } })])), ['/spec/one/a']],
    ['nothing where we have applied it before: an apply takes over nothing more', find(live([byKubectl, entry(fieldManager, { 'f:metadata': { 'f:labels': {} } }, 'Apply')])), []],
    ['nothing that nobody holds: there is nothing to take over', find(live([])), []],
    ['nothing without the record', find(live([byKubectl], {})), []],
  ])('%s', (_name, found, expected) => {
    expect(found).toEqual(expected);
  });

  test('what Git has is laid over the rest, also what the server may store otherwise', () => {
    const desired = holder({ other: {}, one: { a: '' } });
    expect(merged(desired, live([]), either)['spec']).toEqual({ one: { a: '', b: 'filled in' }, other: {} });
  });
});

describe('who else is there', () => {
  const compare = (live: KubeObject, desired: KubeObject): Diff =>
    compareObjects(manifestOf(desired), { live: liveOf(live), predicted: { ...live, data: desired['data'] ?? null }, hasStatus: configMapKind.hasStatus, schema, tag: tagWith('x') });
  const ours = entry(fieldManager, { 'f:data': { 'f:b': {} } }, 'Apply');
  const heldBy = (manager: string, operation = 'Update'): KubeObject => configMap({ a: '2', b: '1' }, { managedFields: [ours, entry(manager, { 'f:data': { 'f:a': {} } }, operation)] });

  test.each<[string, string, string, string | undefined]>([
    ['O6, S8: a value that software holds is contested', 'kube-controller-manager', 'Update', 'contested'],
    ['O11: one that a person holds is drift', 'kubectl-edit', 'Update', undefined],
    ['O12: so is one of before the first apply', 'before-first-apply', 'Update', undefined],
    ['O13: and one that another deploy tool holds', 'argocd-controller', 'Apply', undefined],
  ])('%s', (_name, manager, operation, standing) => {
    const diff = compare(heldBy(manager, operation), configMap({ a: '1', b: '1' }));
    expect(diff.type === 'changed' ? diff.changes.map((change) => change.standing) : diff.type).toEqual([standing]);
  });

  const controller = { ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true }] };
  test.each<[string, KubeObject, readonly RegExp[]]>([
    ['O13: another deploy tool beside us', heldBy('argocd-controller', 'Apply'), [/argocd-controller/]],
    ['O13: not an operator', heldBy('operator', 'Apply'), []],
    ['O14: a controller that owns it', configMap({}, controller), [/Deployment web/]],
    ['O14: not an owner that is no controller', configMap({}, { ownerReferences: [{ kind: 'Deployment', name: 'web' }] }), []],
  ])('%s is told of', (_name, live, warnings) => {
    const diff = compare(live, configMap({}));
    const told = diff.type === 'same' || diff.type === 'changed' ? diff.warnings : [];
    expect(told).toHaveLength(warnings.length);
    for (const [at, warning] of warnings.entries()) expect(told[at]).toMatch(warning);
  });
});

test('S12, S14: only what the server rewrites is tried twice, and only what differs then is volatile', () => {
  const [live, desired] = [configMap({ image: 'mirror/app:1', stamp: '1', plain: 'a' }), configMap({ image: 'app:2', stamp: 'never', plain: 'b' })];
  const first = configMap({ image: 'mirror/app:2', stamp: '2', plain: 'b' });
  const rewritten = rewrittenPaths({ live, desired, predicted: first, hasStatus: false, schema });
  expect(rewritten).toEqual(['/data/image', '/data/stamp']);
  expect(volatilePaths(rewritten, first, configMap({ image: 'mirror/app:2', stamp: '3', plain: 'b' }))).toEqual(new Set(['/data/stamp']));
});

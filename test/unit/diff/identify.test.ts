import { describe, expect, test } from 'vitest';
import { identify, type KindLookup } from '../../../src/diff/index.ts';
import type { Json, JsonObject, KubeObject } from '../../../src/model/index.ts';
import { base64, configMap, configMapKind, namespaceKind, secret, secretKind } from './fixtures.ts';

const kinds = { 'v1/ConfigMap': configMapKind, 'v1/Secret': secretKind, 'v1/Namespace': namespaceKind };
const lookUp: KindLookup = (apiVersion, kind) => {
  const served = (kinds as Record<string, typeof configMapKind>)[`${apiVersion}/${kind}`];
  if (served !== undefined) return { type: 'served', kind: served };
  if (apiVersion === 'metrics.k8s.io/v1') return { type: 'unavailable' };
  return { type: 'not-served', servedAs: kind === 'Deployment' ? ['apps/v1'] : [] };
};

function one(object: KubeObject): ReturnType<typeof identify> {
  return identify([{ origin: 'a.yaml#1', object }], lookUp, 'default');
}

function wanted(object: KubeObject): KubeObject {
  const [found] = one(object).manifests;
  if (found === undefined) throw new Error(JSON.stringify(one(object).refused));
  return found.manifest.object;
}

function withMetadata(metadata: JsonObject): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata as KubeObject['metadata'] };
}

describe('namespaces', () => {
  test.each([
    ['without one', {}],
    ['with an empty one', { namespace: '' }],
    ['with null for one', { namespace: null }],
  ])('a document %s gets the default', (_name, metadata) => {
    expect(one(withMetadata({ name: 'a', ...metadata })).manifests[0]?.manifest).toMatchObject({ key: '/ConfigMap/default/a', object: { metadata: { namespace: 'default' } } });
  });

  test('a cluster-scoped document loses one that it should not have', () => {
    const object: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', namespace: 'x' } };
    expect(one(object).manifests[0]?.manifest).toEqual({ key: '/Namespace//a', origin: 'a.yaml#1', object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } } });
  });
});

test('the same object twice is refused twice, with both places named', () => {
  const object = configMap({});
  const { manifests, refused } = identify([{ origin: 'a.yaml#1', object }, { origin: 'b.yaml#2', object }], lookUp, 'default');
  expect(manifests).toEqual([]);
  expect(refused).toHaveLength(2);
  expect(refused[0]).toMatchObject({ type: 'invalid', message: expect.stringContaining('a.yaml#1 and b.yaml#2') as string });
});

test.each([
  ['left out', {}],
  ['left empty', { namespace: '' }],
])('a default namespace that is %s and the same one written out are the same object', (_name, metadata) => {
  const documents = [withMetadata({ name: 'a', ...metadata }), withMetadata({ name: 'a', namespace: 'default' })];
  expect(identify(documents.map((object, at) => ({ origin: `${at}`, object })), lookUp, 'default').refused).toHaveLength(2);
});

describe('kinds that the cluster does not serve', () => {
  test('are refused with the version that it does serve', () => {
    const object: KubeObject = { apiVersion: 'apps/v1beta1', kind: 'Deployment', metadata: { name: 'a' } };
    expect(one(object).refused[0]).toMatchObject({ type: 'invalid', message: expect.stringContaining('serves Deployment as apps/v1') as string });
  });

  test('are unknown, not invalid, where their API group does not answer', () => {
    const object: KubeObject = { apiVersion: 'metrics.k8s.io/v1', kind: 'X', metadata: { name: 'a' } };
    expect(one(object).refused[0]).toMatchObject({ type: 'unknown', code: 'ClusterError' });
  });

  const things = (...versions: readonly Json[]): KubeObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.x.io' },
    spec: { group: 'x.io', names: { kind: 'Thing' }, versions },
  });
  const v1 = { name: 'v1', served: true };
  const waits = { type: 'missing', waitsFor: 'CustomResourceDefinition things.x.io' };
  const invalid = (message: string): object => ({ type: 'invalid', message: expect.stringContaining(message) as string });

  test.each<[string, readonly string[], KubeObject, object]>([
    ['wait for the definition in Git that serves their version', [], things({ name: 'v1beta1', served: true }, v1), waits],
    ['wait for it too where the cluster serves another version', ['x.io/v1'], things({ name: 'v1beta1', served: true }, v1), waits],
    ['wait for one that does not say whether it is served', [], things({ name: 'v1beta1' }), waits],
    ['are refused where neither the cluster nor Git serves their version', ['x.io/v1'], things(v1), invalid('it serves Thing as x.io/v1')],
    ['are refused where the definition in Git does not serve their version', [], things(v1), invalid('CustomResourceDefinition things.x.io in Git serves it as x.io/v1')],
    ['are refused where it serves it no longer', [], things({ name: 'v1beta1', served: false }, v1), invalid('serves it as x.io/v1')],
    ['are refused where it serves nothing', [], things(), invalid('serves no version')],
  ])('%s', (_name, servedAs, definition, expected) => {
    const served: KindLookup = (_version, kind) => (kind === 'Thing' ? { type: 'not-served', servedAs } : { type: 'served', kind: { ...namespaceKind, kind } });
    const thing: KubeObject = { apiVersion: 'x.io/v1beta1', kind: 'Thing', metadata: { name: 'a' } };
    const { refused } = identify([definition, thing].map((object, at) => ({ origin: `${at}.yaml#1`, object })), served, 'default');
    expect(refused).toEqual([expect.objectContaining(expected)]);
  });
});

describe('what is not for Git to say is left out', () => {
  test.each(['resourceVersion', 'uid', 'creationTimestamp', 'generation', 'managedFields', 'selfLink'])('metadata.%s', (field) => {
    expect(wanted(configMap({}, { [field]: 'x' })).metadata).toEqual({ name: 'env', namespace: 'shop' });
  });

  test('status of a kind that has it as a subresource', () => {
    expect(wanted({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' }, status: { phase: 'Active' } })).not.toHaveProperty('status');
  });

  test('but not a status field of a kind that has none', () => {
    expect(wanted({ ...configMap({}), status: { a: 1 } })).toHaveProperty('status');
  });
});

describe('Secrets', () => {
  test('stringData becomes data and wins over it', () => {
    expect(wanted(secret({ data: { a: base64('old'), b: base64('b') }, stringData: { a: 'new' } }))['data']).toEqual({ a: base64('new'), b: base64('b') });
  });

  test('base64 whose last bits mean nothing is what the server reads', () => {
    expect(wanted(secret({ data: { a: 'Zm9vYR==' } }))['data']).toEqual({ a: base64('fooa') });
  });

  test('base64 that is broken over lines is the same bytes', () => {
    expect(wanted(secret({ data: { a: 'Zm9v\nYmFy\n' } }))['data']).toEqual({ a: base64('foobar') });
  });

  test.each<[string, JsonObject, string]>([
    ['a number in stringData', { stringData: { a: 471_100 } }, 'stringData.a is not a string'],
    ['base64 without its padding', { data: { a: 'Y2FuYXJ5LTQ3MTE' } }, 'data.a is not base64'],
    ['base64 of URLs', { data: { a: 'Y2FuYXJ5_-Q=' } }, 'data.a is not base64'],
    ['text that is no base64', { data: { a: 'canary-4711!' } }, 'data.a is not base64'],
    ['a field that a Secret does not have', { dta: { a: 'canary-4711' } }, 'no field dta'],
    ['data that is a string', { data: 'canary-4711' }, 'data of a Secret is a map'],
  ])('%s is refused without its value', (_name, fields, message) => {
    const [refusal] = one(secret(fields)).refused;
    expect(refusal).toMatchObject({ type: 'invalid', message: expect.stringContaining(message) as string });
    expect(JSON.stringify(refusal)).not.toContain('4711');
  });
});

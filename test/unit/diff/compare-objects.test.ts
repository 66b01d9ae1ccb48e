import fastJsonPatch from 'fast-json-patch';
import { describe, expect, test } from 'vitest';
import { compareObjects, missingObject, tagWith } from '../../../src/diff/index.ts';
import type { Diff, JsonObject, KubeObject } from '../../../src/model/index.ts';
import { base64, configMap, liveOf, manifestOf, secret } from './fixtures.ts';

const tag = tagWith('test');

function compare(live: KubeObject, predicted: KubeObject, desired: KubeObject = predicted): Diff {
  return compareObjects(manifestOf(desired), { live: liveOf(live), predicted, hasStatus: true, schema: undefined, tag });
}

/** The object as the server has it when we applied these fields. */
function ours(object: KubeObject, fieldsV1: JsonObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, managedFields: [{ manager: 'setpoint', operation: 'Apply', apiVersion: object.apiVersion, fieldsV1 }] } };
}

function changed(diff: Diff): Extract<Diff, { type: 'changed' }> {
  if (diff.type !== 'changed') throw new Error(`expected a change, got ${diff.type}`);
  return diff;
}

describe('what only the server writes is never a difference', () => {
  test.each([
    ['resourceVersion', { resourceVersion: '2' }],
    ['managedFields', { managedFields: [{ manager: 'x' }] }],
    ['generation', { generation: 7 }],
    ['uid', { uid: 'a-b' }],
    ['last-applied', { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' } }],
  ])('%s', (_name, metadata) => {
    const predicted = configMap({ a: '1' }, 'annotations' in metadata ? { annotations: {} } : {});
    expect(compare(configMap({ a: '1' }, metadata), predicted).type).toBe('same');
  });

  const [record, mark] = [{ 'kubectl.kubernetes.io/last-applied-configuration': '{}' }, { 'setpoint.dev/tracking-id': 'a:b' }];

  test.each([
    ['both marks live, and kubectl’s left by an apply', { ...mark, ...record }, record],
    ['our mark live, and none left by an apply', mark, undefined],
    ['kubectl’s mark live, and none left by an apply', record, undefined],
    ['no mark live, and one put there by an apply', undefined, mark],
  ])('annotations of which nothing but marks is there: %s', (_name, live, predicted) => {
    const annotated = (annotations: JsonObject | undefined): KubeObject => configMap({}, annotations === undefined ? {} : { annotations });
    expect(compare(annotated(live), annotated(predicted), configMap({}))).toMatchObject({ type: 'same', sideEffects: [] });
  });

  test.each([
    ['added', { ...mark, ...record }, { ...record, a: 'b' }, [{ op: 'add', path: '/metadata/annotations/a', value: 'b' }]],
    ['taken away', { ...mark, ...record, a: 'b' }, record, [{ op: 'remove', path: '/metadata/annotations/a' }]],
  ])('an annotation that is %s beside marks leaves the marks where they are', (_name, live, predicted, patch) => {
    const held = ours(configMap({}, { annotations: live }), { 'f:metadata': { 'f:annotations': { 'f:a': {} } } });
    expect(changed(compare(held, configMap({}, { annotations: predicted }))).patch).toEqual(patch);
  });

  test('status, where it is a subresource', () => {
    expect(compare({ ...configMap({}), status: { ready: true } }, configMap({})).type).toBe('same');
  });

  test('but status is compared where it is a plain field', () => {
    const sides = { live: liveOf({ ...configMap({}), status: { a: 1 } }), predicted: { ...configMap({}), status: { a: 2 } }, hasStatus: false, schema: undefined, tag };
    expect(compareObjects(manifestOf({ ...configMap({}), status: { a: 2 } }), sides).type).toBe('changed');
  });
});

describe('the patch, applied to live, gives the prediction', () => {
  test.each<[string, KubeObject, KubeObject]>([
    ['a value', configMap({ a: '1' }), configMap({ a: '2' })],
    ['a new key', configMap({}), configMap({ a: '2' })],
    ['a key that goes', ours(configMap({ a: '1', b: '2' }), { 'f:data': { 'f:a': {} } }), configMap({ b: '2' })],
    ['keys with slashes and tildes', configMap({ 'a/b': '1', 'c~d': '1' }), configMap({ 'a/b': '2', 'c~d': '2' })],
    ['lists', { ...configMap({}), list: [{ name: 'a' }, { name: 'b' }] }, { ...configMap({}), list: [{ name: 'b' }] }],
    ['an annotation beside last-applied', configMap({}, { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'x' } }), configMap({}, { annotations: { a: 'b' } })],
  ])('%s', (_name, live, predicted) => {
    const { patch, after } = changed(compare(live, predicted));
    const result = fastJsonPatch.applyPatch(structuredClone(live), structuredClone(patch) as fastJsonPatch.Operation[], true).newDocument;
    const { annotations, managedFields: _fields, ...metadata } = result.metadata as Record<string, unknown>;
    delete (annotations as Record<string, string> | undefined)?.['kubectl.kubernetes.io/last-applied-configuration'];
    expect({ ...result, metadata: annotations === undefined ? metadata : { ...metadata, annotations } }).toEqual(after);
  });

  test('integers beyond 2^53 that differ in the last digit are a difference, in full', () => {
    const diff = changed(compare({ ...configMap({}), big: 9_007_199_254_740_992n }, { ...configMap({}), big: 9_007_199_254_740_993n }));
    expect(diff.patch).toEqual([{ op: 'replace', path: '/big', value: 9_007_199_254_740_993n }]);
  });

  test('a bigint inside an added object survives', () => {
    const diff = changed(compare(configMap({}), { ...configMap({}), spec: { big: 9_007_199_254_740_993n } }));
    expect(diff.patch).toEqual([{ op: 'add', path: '/spec', value: { big: 9_007_199_254_740_993n } }]);
  });

  test('a string that looks like our mark for integers stays a string', () => {
    const text = '\uFFFFn12';
    expect(changed(compare(configMap({ a: '1' }), configMap({ a: text }))).patch).toEqual([{ op: 'replace', path: '/data/a', value: text }]);
  });

  test('a key named __proto__ is seen', () => {
    const data = JSON.parse('{"__proto__": "x"}') as { [key: string]: string };
    expect(changed(compare(configMap({}), configMap(data))).patch).toEqual([{ op: 'add', path: '/data/__proto__', value: 'x' }]);
  });
});

test('changes are named by key where list items have one', () => {
  const pod = (image: string): KubeObject => ({ ...configMap({}), spec: { containers: [{ name: 'app', image }], args: ['x'] } });
  const { changes } = changed(compare(pod('a:1'), pod('a:2')));
  expect(changes).toMatchObject([{ path: '/spec/containers/0/image', display: 'spec.containers[name=app].image', live: 'a:1', desired: 'a:2' }]);
});

test('a label with a slash in its key is one segment', () => {
  const { changes } = changed(compare(configMap({}, { labels: { 'a.b/c': '1' } }), configMap({}, { labels: { 'a.b/c': '2' } })));
  expect(changes[0]?.display).toBe('metadata.labels["a.b/c"]');
});

describe('Secrets', () => {
  const canary = base64('canary-4711');

  test('show which keys differ and no value', () => {
    const live = ours(secret({ data: { a: base64('old'), b: 'c2FtZQ==', d: canary } }), { 'f:data': { 'f:d': {} } });
    const diff = compare(live, secret({ data: { a: canary, b: 'c2FtZQ==', c: canary } }));
    const same = tag(canary);
    expect(changed(diff).changes).toEqual([
      { path: '/data/a', display: 'data.a', live: `*** (before, ${tag(base64('old'))})`, desired: `*** (after, ${same})`, owners: [] },
      { path: '/data/d', display: 'data.d', live: `*** (${same})`, owners: [] },
      { path: '/data/c', display: 'data.c', desired: `*** (${same})`, owners: [] },
    ]);
    expect(JSON.stringify(diff)).not.toContain(canary);
    expect(JSON.stringify(diff)).not.toContain('c2FtZQ==');
  });

  test('that are missing are masked too', () => {
    const predicted = secret({ data: { a: canary } });
    const diff = missingObject(manifestOf(predicted), tag);
    expect(diff.type).toBe('missing');
    expect(JSON.stringify(diff)).not.toContain(canary);
  });

  test('whose data is no map at all are masked whole', () => {
    expect(JSON.stringify(compare(secret({ data: {} }), secret({ data: canary })))).not.toContain(canary);
  });

  test('an equal value is no difference', () => {
    expect(compare(secret({ data: { a: canary } }), secret({ data: { a: canary } })).type).toBe('same');
  });

  test('the last-applied annotation, which repeats them, is left out', () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': canary };
    expect(JSON.stringify(compare(secret({ data: {} }, { annotations }), secret({ data: { a: 'x' } })))).not.toContain(canary);
  });

  test.each([
    ['kapp’s', 'kapp.k14s.io/original'],
    ['Rancher’s', 'objectset.rio.cattle.io/applied'],
    ['anybody’s', 'example.com/backup'],
  ])('%s copy in an annotation is masked, whether it differs or not', (_name, annotation) => {
    const copy = (value: string): KubeObject => secret({ data: { a: 'eA==' } }, { annotations: { [annotation]: `{"data":{"a":"${value}"}}` }, labels: { a: value.slice(0, 2) } });
    expect(JSON.stringify(compare(copy(canary), copy(canary)))).not.toContain(canary);
    const { changes } = changed(compare(copy(canary), copy(base64('other'))));
    expect(changes.map(({ live }) => live)).toContainEqual(expect.stringMatching(/^\*\*\* \(before, [0-9a-f]{8}\)$/));
    expect(JSON.stringify(changes)).not.toContain(canary);
    expect(JSON.stringify(missingObject(manifestOf(copy(canary)), tag))).not.toContain(canary);
  });

  test('annotations that hold no copies are shown as they are', () => {
    const waved = (wave: string): KubeObject => secret({}, { annotations: { 'argocd.argoproj.io/sync-wave': wave } });
    expect(changed(compare(waved('1'), waved('2'))).changes).toMatchObject([{ live: '1', desired: '2' }]);
  });

  test('a custom kind named Secret is not one of them', () => {
    const custom = (value: string): KubeObject => ({ ...secret({ data: { a: value } }), apiVersion: 'vault.example.com/v1' });
    expect(changed(compare(custom('x'), custom('y'))).changes[0]).toMatchObject({ live: 'x', desired: 'y' });
  });
});

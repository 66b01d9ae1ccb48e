import { describe, expect, test } from 'vitest';
import { neutralise } from '../../../../src/diff/ignore/index.ts';
import type { Json, JsonObject } from '../../../../src/model/index.ts';
import { deepFreeze, deployment, errorsOf, ignoresOf } from './fixtures.ts';

const entry = (manager: string, fieldsV1: Json): JsonObject => ({ manager, operation: 'Update', fieldsV1 });
const inSpec = (fields: JsonObject): JsonObject => ({ 'f:spec': fields });

interface Row {
  readonly owned: readonly JsonObject[];
  readonly object: JsonObject;
  readonly live: JsonObject;
  readonly desired: JsonObject;
  readonly predicted?: JsonObject;
}

const web = (fields: JsonObject): JsonObject => ({ name: 'web', ...fields });
const hpa = (fields: JsonObject): readonly JsonObject[] => [entry('hpa', inSpec(fields))];

describe('what a trusted manager owns', () => {
  test.each<[string, Row]>([
    ['a field', { owned: hpa({ 'f:replicas': {} }), object: { replicas: 3, a: 1 }, live: { replicas: 5, a: 2 }, desired: { replicas: 5, a: 1 } }],
    ['a field that Git says nothing about', { owned: hpa({ 'f:replicas': {} }), object: { a: 1 }, live: { replicas: 5 }, desired: { a: 1 }, predicted: { a: 1, replicas: 5 } }],
    ['not a field that is gone from live: nobody owns it', { owned: hpa({ 'f:replicas': {} }), object: { replicas: 3 }, live: {}, desired: { replicas: 3 } }],
    ['not what another manager owns', { owned: [entry('x', inSpec({ 'f:replicas': {} }))], object: { replicas: 3 }, live: { replicas: 5 }, desired: { replicas: 3 } }],
    ['a list that is replaced whole', { owned: hpa({ 'f:args': {} }), object: { args: ['a'] }, live: { args: ['b', 'c'] }, desired: { args: ['b', 'c'] } }],
    ['a key of a map, and not the map', { owned: hpa({ 'f:labels': { '.': {}, 'f:a': {} } }), object: { labels: { a: 'git', b: 'git' } }, live: { labels: { a: 'live', b: 'live' } }, desired: { labels: { a: 'live', b: 'git' } } }],
    ['a map of which it owns no key', { owned: hpa({ 'f:labels': { '.': {} } }), object: { labels: { a: 'git' } }, live: { labels: { a: 'live' } }, desired: { labels: { a: 'git' } } }],
    [
      'a field of an item, by its keys',
      {
        owned: hpa({ 'f:containers': { 'k:{"name":"web"}': { 'f:resources': { 'f:cpu': {} } } } }),
        object: { containers: [web({ image: 'git', resources: { cpu: 1, memory: 1 } })] },
        live: { containers: [{ name: 'side' }, web({ image: 'live', resources: { cpu: 2, memory: 2 } })] },
        desired: { containers: [web({ image: 'git', resources: { cpu: 2, memory: 1 } })] },
      },
    ],
    [
      'a field of an item by several keys, which are not their string forms',
      {
        owned: hpa({ 'f:ports': { 'k:{"protocol":"UDP","port":53}': { 'f:nodePort': {} }, 'k:{"port":"53","protocol":"TCP"}': { 'f:nodePort': {} } } }),
        object: { ports: [{ port: 53, protocol: 'TCP', nodePort: 1 }, { port: 53, protocol: 'UDP', nodePort: 2 }] },
        live: { ports: [{ port: 53, protocol: 'TCP', nodePort: 8 }, { port: 53, protocol: 'UDP', nodePort: 9 }] },
        desired: { ports: [{ port: 53, protocol: 'TCP', nodePort: 1 }, { port: 53, protocol: 'UDP', nodePort: 9 }] },
      },
    ],
    ['an item of a set', { owned: hpa({ 'f:tags': { 'v:"x"': {} } }), object: { tags: ['a'] }, live: { tags: ['x', 'a', 'y'] }, desired: { tags: ['a'] }, predicted: { tags: ['x', 'a'] } }],
    ['nothing, where the record is empty', { owned: [entry('hpa', {})], object: { a: 1 }, live: { a: 2 }, desired: { a: 1 } }],
    ['nothing, where the record cannot be read', { owned: [entry('hpa', 'x'), ...hpa({ 'f:a': 'x', 'f:list': { 'k:{broken': {}, 'k:{}': {}, 'k:1': {}, 'i:0': {} } })], object: { a: 1, list: [{ b: 1 }] }, live: { a: 2, list: [{ b: 2 }] }, desired: { a: 1, list: [{ b: 1 }] } }],
  ])('%s', (_name, { owned, object, live, desired, predicted = desired }) => {
    const ignores = ignoresOf({ managedFieldsManagers: ['hpa'] });
    const given = deepFreeze(deployment({ spec: object }));
    const actual = deepFreeze(deployment({ spec: live }, { managedFields: owned }));
    expect(neutralise(given, actual, { ignores, fillIn: false })['spec']).toEqual(desired);
    expect(neutralise(given, actual, { ignores, fillIn: true })['spec']).toEqual(predicted);
  });

  test('is never the identity of the object, whatever the record says', () => {
    const ignores = ignoresOf({ managedFieldsManagers: ['hpa'] });
    for (const fields of [{}, { 'f:kind': {}, 'f:apiVersion': {}, 'f:metadata': {} }, { 'f:metadata': { 'f:name': {}, 'f:namespace': {} } }]) {
      const object = deployment({ spec: {} });
      const live = { ...deployment({}), kind: 'Other', metadata: { name: 'other', managedFields: [entry('hpa', fields)] } };
      expect(neutralise(object, live, { ignores, fillIn: true })).toBe(object);
    }
  });

  test('goes with what paths say', () => {
    const ignores = ignoresOf({ managedFieldsManagers: ['hpa'], paths: ['containers[name=web].image'] });
    const owned = hpa({ 'f:containers': { 'k:{"name":"web"}': { 'f:cpu': {} } } });
    const live = deployment({ spec: { containers: [web({ image: 'live', cpu: 'live', a: 'live' })] } }, { managedFields: owned });
    const object = deployment({ spec: { containers: [web({ image: 'git', cpu: 'git', a: 'git' })] } });
    expect(neutralise(object, live, { ignores, fillIn: true })['spec']).toEqual({ containers: [web({ image: 'live', cpu: 'live', a: 'git' })] });
  });
});

test.each<[string, string, boolean]>([
  ['kube-controller-manager', 'kube-controller-manager', true],
  ['kube-controller-manager', 'kube-controller-manager-2', false],
  ['*-autoscaler', 'cluster-autoscaler', true],
])('the manager %s, where %s owns the field: %s', (manager, owner, isTrusted) => {
  const live = deployment({ spec: { replicas: 5 } }, { managedFields: [entry(owner, inSpec({ 'f:replicas': {} }))] });
  const result = neutralise(deployment({ spec: { replicas: 3 } }), live, { ignores: ignoresOf({ managedFieldsManagers: [manager] }), fillIn: false });
  expect(result['spec']).toEqual({ replicas: isTrusted ? 5 : 3 });
});

test.each(['setpoint', '*', 'set*'])('%s cannot be trusted: it is our own name', (manager) => {
  expect(errorsOf([{ managedFieldsManagers: [manager] }])).toEqual([
    `[0].managedFieldsManagers[0]: wanted the name of another field manager: as setpoint, we ourselves apply what Git wants; got "${manager}"`,
  ]);
});

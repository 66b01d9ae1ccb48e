import { describe, expect, test } from 'vitest';
import { compareObjects, describeChange, liveDigest, orphanCandidates, overlay, prove, tagWith } from '../../../src/diff/index.ts';
import { parseJson, type Json, type JsonObject, type KubeObject, type Schema } from '../../../src/model/index.ts';
import { configMap, liveOf, manifestOf } from './fixtures.ts';

const scalar: Schema = { type: 'scalar', format: 'plain' };
const texts: Schema = { type: 'map', atomic: false, element: { schema: scalar } };
const schema: Schema = {
  ...{ type: 'struct', atomic: false, open: false, builtIn: true },
  fields: new Map([
    ['metadata', { schema: { type: 'any' } }],
    ['data', { schema: texts }],
    ['items', { schema: { type: 'list', relation: 'map', keys: ['name'], element: { schema: { type: 'any' } } } }],
  ]),
};
const tag = tagWith('test');

/** Everything that is ever done with an object, in one go. */
function useAll(desired: KubeObject, live: KubeObject): { readonly proof: string; readonly type: string } {
  liveDigest(live, { hasStatus: false });
  describeChange(live, desired);
  orphanCandidates({ desired, live, recorded: { 'f:data': { '.': {}, 'f:a': {} } }, schema });
  const predicted = overlay(desired, live, schema);
  const { type } = compareObjects(manifestOf(desired), { live: liveOf(live), predicted, hasStatus: false, schema, tag });
  return { proof: prove(desired, live, schema), type };
}

function withManagedFields(object: KubeObject, managedFields: Json): KubeObject {
  return { ...object, metadata: { ...object.metadata, managedFields } };
}

describe('managed fields that cannot be read name nobody, prove nothing, and break nothing', () => {
  test.each<[string, Json]>([
    ['no list', 'garbage'],
    ['entries that are no maps', [null, 4, 'x', []]],
    ['fields that are no map', [{ manager: 'setpoint', operation: 'Apply', apiVersion: 'v1', fieldsV1: 'x' }]],
    ['members of unknown kinds', [{ manager: 'setpoint', operation: 'Apply', apiVersion: 'v1', fieldsV1: { 'z:what': {}, data: {}, '': {} } }]],
    ['members that are no JSON', [{ manager: 'setpoint', operation: 'Apply', apiVersion: 'v1', fieldsV1: { 'f:items': { 'k:{broken': {}, 'v:': {} } } }]],
    ['leaves that are no maps', [{ manager: 'setpoint', operation: 'Apply', apiVersion: 'v1', fieldsV1: { 'f:data': { 'f:a': 7 } } }]],
    ['another version of them', [{ manager: 'setpoint', operation: 'Apply', apiVersion: 'v9', fieldsType: 'FieldsV7', fieldsV7: {} }]],
  ])('%s', (_name, managedFields) => {
    const { proof, type } = useAll(configMap({ b: '1' }), withManagedFields(configMap({ a: '1', b: '1' }), managedFields));
    expect(type).toBe('same');
    expect(proof === 'equal' || proof === 'unsure').toBe(true);
  });
});

describe('keys that mean something to JavaScript are data', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf'])('%s', (key) => {
    const data = parseJson(`{"${key}": "git"}`) as JsonObject;
    expect(useAll(configMap(data), configMap({}))).toEqual({ proof: 'different', type: 'changed' });
    expect(useAll(configMap(data), configMap(data))).toEqual({ proof: 'equal', type: 'same' });
    expect(useAll(configMap({}), configMap(data)).type).toBe('same');
  });
});

describe('size costs time in proportion', () => {
  const entries = (count: number, value: string): JsonObject => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key-${at}`, value]));
  const items = (count: number, value: string): Json => Array.from({ length: count }, (_, at) => ({ name: `item-${at}`, value }));
  const owned = (count: number): Json => [
    {
      ...{ manager: 'setpoint', operation: 'Apply', apiVersion: 'v1' },
      fieldsV1: {
        'f:data': Object.fromEntries(Array.from({ length: count }, (_, at) => [`f:key-${at}`, {}])),
        'f:items': Object.fromEntries(Array.from({ length: count }, (_, at) => [`k:{"name":"item-${at}"}`, { '.': {}, 'f:value': {} }])),
      },
    },
  ];
  const object = (count: number, value: string): KubeObject => ({ ...configMap(entries(count, value)), items: items(count, value) });
  const spent = (count: number, value: string): number => {
    const start = performance.now();
    expect(useAll(object(count, value), withManagedFields(object(count, 'live'), owned(count))).type).toBe(value === 'live' ? 'same' : 'changed');
    return performance.now() - start;
  };

  test.each(['live', 'git'])('ten thousand entries, live against %s', { timeout: 60_000 }, (value) => {
    // A busy machine makes either look long: the shortest of the large ones against the longest of the small ones.
    const small = Math.max(...[1, 2, 3].map(() => spent(1000, value)));
    const large = Math.min(...[1, 2].map(() => spent(10_000, value)));
    // Ten times the work; a hundred times would be what a nested search costs.
    expect(large).toBeLessThan(small * 60 + 500);
  });

  test('an object of one and a half megabytes', () => {
    const text = 'x'.repeat(1_500_000);
    expect(useAll(configMap({ a: text }), configMap({ a: `${text}y` }))).toEqual({ proof: 'different', type: 'changed' });
  });
});

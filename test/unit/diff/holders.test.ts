import { expect, test } from 'vitest';
import { holdersBelow, holdersOf, holdersOfItems } from '../../../src/diff/holders.ts';
import { isList, type FieldOwner, type Json, type JsonObject, type KubeObject } from '../../../src/model/index.ts';

/** Those who hold something at a path, found as a comparison finds them: step by step from the root. */
function ownersOf(object: KubeObject, path: readonly string[]): readonly FieldOwner[] {
  let holders = holdersOf(object);
  let at: Json | undefined = object;
  for (const key of path) {
    holders = isList(at) ? holdersOfItems(holders, at)(Number(key)) : holdersBelow(holders, key);
    at = isList(at) ? at[Number(key)] : (at as JsonObject | undefined)?.[key];
  }
  return holders.map(({ owner }) => owner);
}

function live(...entries: readonly [manager: string, fields: JsonObject][]): KubeObject {
  const managedFields = entries.map(([manager, fieldsV1]) => ({ manager, operation: 'Update', time: 't', fieldsV1 }));
  return {
    apiVersion: 'v1',
    kind: 'X',
    metadata: { name: 'a', managedFields },
    spec: { replicas: 5, args: ['a', 'b'], containers: [{ name: 'app', image: 'a:1' }, { name: 'side', image: 'b:1' }], tags: ['x', 'y'] },
  };
}

const inSpec = (fields: JsonObject): JsonObject => ({ 'f:spec': fields });

test.each<[string, KubeObject, readonly string[], readonly string[]]>([
  ['a field', live(['kubectl', inSpec({ 'f:replicas': {} })]), ['spec', 'replicas'], ['kubectl']],
  ['a field of another name', live(['kubectl', inSpec({ 'f:paused': {} })]), ['spec', 'replicas'], []],
  ['all of its owners', live(['a', inSpec({ 'f:replicas': {} })], ['b', inSpec({ 'f:replicas': {} })]), ['spec', 'replicas'], ['a', 'b']],
  ['a field of an item by its keys', live(['a', inSpec({ 'f:containers': { 'k:{"name":"side"}': { 'f:image': {} } } })]), ['spec', 'containers', '1', 'image'], ['a']],
  ['not that of the item beside it', live(['a', inSpec({ 'f:containers': { 'k:{"name":"side"}': { 'f:image': {} } } })]), ['spec', 'containers', '0', 'image'], []],
  ['an item of a set by its value', live(['a', inSpec({ 'f:tags': { 'v:"y"': {} } })]), ['spec', 'tags', '1'], ['a']],
  ['a part of a list that is replaced whole', live(['a', inSpec({ 'f:args': {} })]), ['spec', 'args', '1'], ['a']],
  ['a whole of which somebody owns a part', live(['a', inSpec({ 'f:containers': { 'k:{"name":"app"}': { '.': {} } } })]), ['spec', 'containers'], ['a']],
  ['nothing where the record cannot be read', live(['a', inSpec({ 'f:containers': { 'k:{broken': {} } })]), ['spec', 'containers', '0', 'image'], []],
])('%s', (_name, object, path, managers) => {
  expect(ownersOf(object, path).map(({ manager }) => manager)).toEqual(managers);
});

test('the way and the time of the write, where they are recorded', () => {
  const object = live();
  const managedFields = [{ manager: 'kubectl', operation: 'Update', subresource: 'scale', fieldsV1: inSpec({ 'f:replicas': {} }) }];
  const scaled: KubeObject = { ...object, metadata: { ...object.metadata, managedFields } };
  expect(ownersOf(scaled, ['spec', 'replicas'])).toEqual([{ manager: 'kubectl', operation: 'Update', subresource: 'scale' }]);
});

test.each(['garbage', null, [null, 'x', { manager: 1 }]])('managed fields that are %j name nobody', (managedFields) => {
  const object = live();
  expect(ownersOf({ ...object, metadata: { ...object.metadata, managedFields } }, ['spec', 'replicas'])).toEqual([]);
});

test('a key of a Secret that was written as text is held as data', () => {
  const managedFields = [{ manager: 'operator', operation: 'Apply', fieldsV1: { 'f:stringData': { 'f:word': {} } } }];
  const secret: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', managedFields }, data: { word: 'eA==' } };
  expect(ownersOf(secret, ['data', 'word'])).toMatchObject([{ manager: 'operator' }]);
});

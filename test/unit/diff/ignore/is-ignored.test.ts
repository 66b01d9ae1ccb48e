import { expect, test } from 'vitest';
import { isIgnored } from '../../../../src/diff/ignore/index.ts';
import type { JsonObject } from '../../../../src/model/index.ts';
import { deployment, ignoresOf } from './fixtures.ts';

const fieldsV1 = { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': { 'f:image': {} } } } };
const live = deployment(
  { spec: { replicas: 3, containers: [{ name: 'side', image: 'a' }, { name: 'web', image: 'b', env: [{ name: 'A_URL', value: 'x' }] }] } },
  { managedFields: [{ manager: 'x', operation: 'Update', fieldsV1 }] },
);

test('nothing is, where the record of a manager is empty', () => {
  const unowned = deployment({ spec: {} }, { managedFields: [{ manager: 'x', operation: 'Update', fieldsV1: {} }] });
  expect(isIgnored(['spec'], unowned, ignoresOf({ managedFieldsManagers: ['x'] }))).toBe(false);
});

test.each<[string, JsonObject, string, boolean]>([
  ['a field', { jsonPointers: ['/spec/replicas'] }, '/spec/replicas', true],
  ['a field beside it', { jsonPointers: ['/spec/replicas'] }, '/spec/paused', false],
  ['what it is a part of', { jsonPointers: ['/spec/replicas'] }, '/spec', false],
  ['a part of it', { jsonPointers: ['/spec'] }, '/spec/containers/0/image', true],
  ['a field that is not there', { jsonPointers: ['/spec/a/b'] }, '/spec/a/b', true],
  ['an item, by its index', { jsonPointers: ['/spec/containers/0'] }, '/spec/containers/0/image', true],
  ['an item beside it', { jsonPointers: ['/spec/containers/0'] }, '/spec/containers/1/image', false],
  ['an item, by its name', { paths: ['containers[name=web].env[name=*_URL]'] }, '/spec/containers/1/env/0/value', true],
  ['an item of another name', { paths: ['containers[name=web].image'] }, '/spec/containers/0/image', false],
  ['what a manager owns', { managedFieldsManagers: ['x'] }, '/spec/containers/1/image', true],
  ['what it does not own', { managedFieldsManagers: ['x'] }, '/spec/containers/0/image', false],
])('%s', (_name, rule, pointer, expected) => {
  expect(isIgnored(pointer.split('/').slice(1), live, ignoresOf(rule))).toBe(expected);
});

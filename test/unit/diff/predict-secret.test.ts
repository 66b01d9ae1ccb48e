import { describe, expect, test } from 'vitest';
import { predictSecret, secretObstacle } from '../../../src/diff/index.ts';
import type { Json, JsonObject } from '../../../src/model/index.ts';
import { secret } from './fixtures.ts';

function entry(manager: string, operation: string, fieldsV1: JsonObject): JsonObject {
  return { manager, operation, fieldsV1 };
}

const ours = entry('setpoint', 'Apply', { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } });

test.each<[string, { live: JsonObject; managers: readonly Json[]; desired: JsonObject; data: JsonObject }]>([
  ['a value that Git changes', { live: { a: 'MQ==' }, managers: [ours], desired: { a: 'Mg==' }, data: { a: 'Mg==' } }],
  ['a key that Git adds', { live: {}, managers: [ours], desired: { a: 'Mg==' }, data: { a: 'Mg==' } }],
  ['a key of ours that Git no longer has goes', { live: { a: 'MQ==', b: 'MQ==' }, managers: [ours], desired: { a: 'MQ==' }, data: { a: 'MQ==' } }],
  [
    'a key that another manager owns too stays',
    { live: { a: 'MQ==', b: 'MQ==' }, managers: [ours, entry('x', 'Update', { 'f:data': { 'f:b': {} } })], desired: { a: 'MQ==' }, data: { a: 'MQ==', b: 'MQ==' } },
  ],
  ['a key that was never ours stays', { live: { a: 'MQ==', z: 'MQ==' }, managers: [ours], desired: { a: 'MQ==' }, data: { a: 'MQ==', z: 'MQ==' } }],
  [
    'a key that we once wrote without apply stays',
    { live: { a: 'MQ==', b: 'MQ==' }, managers: [entry('setpoint', 'Update', { 'f:data': { 'f:b': {} } })], desired: { a: 'MQ==' }, data: { a: 'MQ==', b: 'MQ==' } },
  ],
])('%s', (_name, { live, managers, desired, data }) => {
  const predicted = predictSecret(secret({ data: live, type: 'Opaque' }, { managedFields: managers }), secret({ data: desired }), 'setpoint');
  expect(predicted['data']).toEqual(data);
  expect(predicted['type']).toBe('Opaque');
});

test('labels of others stay, and the type that Git names is taken', () => {
  const live = secret({ type: 'Opaque' }, { labels: { theirs: '1' } });
  const predicted = predictSecret(live, secret({ type: 'x/y' }, { labels: { ours: '1' } }), 'setpoint');
  expect(predicted).toMatchObject({ type: 'x/y', metadata: { labels: { theirs: '1', ours: '1' } } });
});

describe('what Git no longer has', () => {
  const owner = (uid: string, name = uid): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid });
  const held = (...finalizers: readonly string[]): JsonObject => ({ 'f:metadata': { 'f:finalizers': Object.fromEntries([['.', {}], ...finalizers.map((name) => [`v:"${name}"`, {}])]) } });
  const owned = { 'f:metadata': { 'f:ownerReferences': { 'k:{"uid":"u1"}': {} } } };
  const byUs = (fields: JsonObject): JsonObject => entry('setpoint', 'Apply', fields);
  const byOthers = (fields: JsonObject): JsonObject => entry('x', 'Update', fields);

  interface Row {
    readonly live: JsonObject;
    readonly metadata?: JsonObject;
    readonly managers: readonly JsonObject[];
    readonly desired?: JsonObject;
    readonly wanted?: JsonObject;
    readonly expected: JsonObject;
    readonly obstacle?: string;
  }

  test.each<[string, Row]>([
    ['a finalizer of ours goes', { live: {}, metadata: { finalizers: ['x.io/a'] }, managers: [byUs(held('x.io/a'))], expected: {} }],
    ['one that others hold too stays', { live: {}, metadata: { finalizers: ['x.io/a'] }, managers: [byUs(held('x.io/a')), byOthers(held('x.io/a'))], expected: { metadata: { finalizers: ['x.io/a'] } } }],
    [
      'one of others stays beside one of Git’s, wherever it stands',
      { live: {}, metadata: { finalizers: ['x.io/b', 'x.io/a'] }, managers: [byUs(held('x.io/a')), byOthers(held('x.io/b'))], wanted: { finalizers: ['x.io/a', 'x.io/c'] }, expected: { metadata: { finalizers: ['x.io/b', 'x.io/a', 'x.io/c'] } } },
    ],
    ['an owner of ours goes', { live: {}, metadata: { ownerReferences: [owner('u1')] }, managers: [byUs(owned)], expected: {} }],
    ['an owner that others hold stays', { live: {}, metadata: { ownerReferences: [owner('u1'), owner('u2')] }, managers: [byUs(owned)], expected: { metadata: { ownerReferences: [owner('u2')] } } }],
    ['an owner that Git still has is as Git has it', { live: {}, metadata: { ownerReferences: [owner('u1', 'old')] }, managers: [byUs(owned)], wanted: { ownerReferences: [owner('u1', 'new')] }, expected: { metadata: { ownerReferences: [owner('u1', 'new')] } } }],
    ['immutable: true of ours would go, and cannot', { live: { immutable: true }, managers: [byUs({ 'f:immutable': {} })], expected: {}, obstacle: 'the Secret is marked immutable' }],
    ['immutable: true that others hold too stays', { live: { immutable: true }, managers: [byUs({ 'f:immutable': {} }), byOthers({ 'f:immutable': {} })], expected: { immutable: true } }],
    ['immutable: null in Git is none', { live: {}, managers: [], desired: { immutable: null }, expected: {} }],
    ['a type of ours becomes the usual one, and cannot', { live: { type: 'x/y' }, managers: [byUs({ 'f:type': {} })], expected: { type: 'Opaque' }, obstacle: 'the type of a Secret is immutable' }],
    ['the usual type stays', { live: { type: 'Opaque' }, managers: [byUs({ 'f:type': {} })], expected: { type: 'Opaque' } }],
    ['a type that was never ours stays', { live: { type: 'x/y' }, managers: [], expected: { type: 'x/y' } }],
    ['an empty type in Git is the usual one', { live: { type: 'Opaque' }, managers: [], desired: { type: '' }, expected: { type: 'Opaque' } }],
    ['a label that is null in Git is empty', { live: {}, managers: [], wanted: { labels: { a: null } }, expected: { metadata: { labels: { a: '' } } } }],
  ])('%s', (_name, { live: fields, metadata = {}, managers, desired = {}, wanted = {}, expected, obstacle }) => {
    const live = secret({ type: 'Opaque', ...fields }, { ...metadata, managedFields: managers });
    const predicted = predictSecret(live, secret(desired, wanted), 'setpoint');
    const { metadata: expectedMetadata = {}, ...rest } = expected as { metadata?: JsonObject };
    const { managedFields: _fields, ...shown } = predicted.metadata;
    expect({ ...predicted, metadata: shown }).toEqual(secret({ type: 'Opaque', ...rest }, expectedMetadata));
    expect(secretObstacle(live, predicted)?.message).toBe(obstacle);
  });
});

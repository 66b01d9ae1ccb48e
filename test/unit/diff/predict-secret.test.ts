import { expect, test } from 'vitest';
import { predictSecret } from '../../../src/diff/index.ts';
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

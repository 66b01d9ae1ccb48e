import { describe, expect, test } from 'vitest';
import { agreedStateOf, hashWith, predictReturn } from '../../../src/diff/index.ts';
import type { JsonObject, KubeObject, Schema, SchemaField } from '../../../src/model/index.ts';

const text: SchemaField = { schema: { type: 'scalar', format: 'plain' } };
const map: SchemaField = { schema: { type: 'map', element: text, atomic: false } };
const struct = (fields: Readonly<Record<string, SchemaField>>): Schema => ({ type: 'struct', fields: new Map(Object.entries(fields)), atomic: false, open: false, builtIn: true });
const metadata = struct({ name: text, labels: map, annotations: map });
const schema = struct({ apiVersion: text, kind: text, metadata: { schema: metadata }, data: map });
const hash = hashWith('salt');

function object(data: JsonObject, more: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...more }, data };
}

function returned(live: KubeObject, { desired = object({ a: '1', zero: '' }), before = object({ a: '1', zero: '', theirs: 'x' }) } = {}): KubeObject | undefined {
  const agreed = agreedStateOf({ desired, live: before, hasStatus: false, schema }, hash);
  return predictReturn({ desired, live, agreed, hasStatus: false, schema }, hash);
}

describe('an object that was as Git says', () => {
  test.each<[string, KubeObject]>([
    ['another value', object({ a: '2', zero: '', theirs: 'x' })],
    ['a value that is gone', object({ zero: '', theirs: 'x' })],
    ['another value in place of an empty one, which alone the server might have put there', object({ a: '1', zero: '5', theirs: 'x' })],
    ['a new version, which is nobody’s wish', object({ a: '2', zero: '', theirs: 'x' }, { resourceVersion: '9', generation: 3 })],
  ])('returns to what it was: %s', (_name, live) => {
    expect(returned(live)?.['data']).toEqual({ a: '1', zero: '', theirs: 'x' });
  });

  test.each<[string, KubeObject]>([
    ['what somebody else holds is another, too', object({ a: '2', zero: '', theirs: 'y' })],
    ['something was added besides', object({ a: '2', zero: '', theirs: 'x', more: 'z' })],
    ['something of others is gone', object({ a: '2', zero: '' })],
    ['a label came with it', object({ a: '2', zero: '', theirs: 'x' }, { labels: { team: 'shop' } })],
  ])('is for the server to tell where %s', (_name, live) => {
    expect(returned(live)).toBeUndefined();
  });

  test('is for the server to tell where only that Git has not changed is on record', () => {
    const desired = object({ a: '1' });
    const agreed = { desired: hash(desired), live: {} };
    expect(predictReturn({ desired, live: object({ a: '2' }), agreed, hasStatus: false, schema }, hash)).toBeUndefined();
  });
});

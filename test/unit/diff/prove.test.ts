import { describe, expect, test } from 'vitest';
import { prove } from '../../../src/diff/index.ts';
import type { Json, JsonObject, KubeObject } from '../../../src/model/index.ts';
import { list, map, struct, text } from './schema.ts';

const port = struct({ port: text, protocol: { ...text, default: 'TCP' }, name: text });
const spec = struct({
  text,
  amount: { schema: { type: 'scalar', format: 'quantity' } },
  bytes: { schema: { type: 'scalar', format: 'bytes' } },
  labels: map(text),
  selector: map(text, true),
  rule: struct({ a: text, b: { ...text, default: 'preset' } }, true),
  args: list('atomic', text),
  tags: list('set', text),
  ports: list('map', port, 'port', 'protocol'),
  presets: map({ ...text, default: '' }, true),
  free: { schema: { type: 'any' } },
});
const metadata = struct({ name: text, labels: map(text) });
const { schema } = struct({ apiVersion: text, kind: text, metadata, spec });

function object(fields: JsonObject, managedFields?: Json): KubeObject {
  return { apiVersion: 'v1', kind: 'X', metadata: { name: 'a', ...(managedFields === undefined ? {} : { managedFields }) }, spec: fields };
}

describe('values', () => {
  test.each<[string, JsonObject, JsonObject, string]>([
    ['equal text', { text: 'a' }, { text: 'a' }, 'equal'],
    ['other text', { text: 'a' }, { text: 'b' }, 'different'],
    ['text that is absent', { text: 'a' }, {}, 'different'],
    ['an empty text that is absent: the server may drop it', { text: '' }, {}, 'unsure'],
    ['a zero where live has something: the server may default it', { text: 0 }, { text: 5 }, 'unsure'],
    ['"80" is not 80', { text: '80' }, { text: 80 }, 'different'],
    ['integers in the last digit', { text: 9_007_199_254_740_993n }, { text: 9_007_199_254_740_992n }, 'different'],
    ['an integer in both shapes', { text: 5n }, { text: 5 }, 'equal'],
    ['null and absent', { text: null }, {}, 'equal'],
    ['null and something', { text: null }, { text: 'a' }, 'unsure'],
    ['null in a map gets a zero value', { labels: { a: null } }, { labels: {} }, 'unsure'],
    ['an empty map and absent', { labels: {} }, {}, 'unsure'],
    ['a quantity in another spelling', { amount: '1000m' }, { amount: '1' }, 'equal'],
    ['bytes with a line break', { bytes: 'YWJj\nZA==' }, { bytes: 'YWJjZA==' }, 'equal'],
    ['a field that the kind does not have', { typo: 'a' }, { typo: 'a' }, 'unsure'],
    ['an extra key in a map is not ours', { labels: { a: '1' } }, { labels: { a: '1', b: '2' } }, 'equal'],
    ['an extra key in a map that is replaced whole', { selector: { a: '1' } }, { selector: { a: '1', b: '2' } }, 'unsure'],
    ['an extra key that is the default', { rule: { a: '1' } }, { rule: { a: '1', b: 'preset' } }, 'equal'],
    ['an extra key that is not', { rule: { a: '1' } }, { rule: { a: '1', b: 'other' } }, 'unsure'],
    ['an extra key in a map that is replaced whole, with the default of its values', { presets: { a: '1' } }, { presets: { a: '1', b: '' } }, 'unsure'],
    ['a plain list in another order', { args: ['a', 'b'] }, { args: ['b', 'a'] }, 'different'],
    ['a longer plain list', { args: ['a'] }, { args: ['a', 'b'] }, 'different'],
    ['a set with more', { tags: ['a'] }, { tags: ['b', 'a'] }, 'equal'],
    ['a set in another order', { tags: ['a', 'b'] }, { tags: ['b', 'a'] }, 'unsure'],
    ['a set without', { tags: ['a'] }, { tags: ['b'] }, 'different'],
    ['an item by its keys, default filled in', { ports: [{ port: 80 }] }, { ports: [{ port: 53, protocol: 'UDP' }, { port: 80, protocol: 'TCP' }] }, 'equal'],
    ['the same port of another protocol', { ports: [{ port: 80, protocol: 'UDP' }] }, { ports: [{ port: 80, protocol: 'TCP' }] }, 'different'],
    ['an item twice', { ports: [{ port: 80 }, { port: 80 }] }, { ports: [{ port: 80, protocol: 'TCP' }] }, 'unsure'],
    ['items in another order', { ports: [{ port: 80 }, { port: 81 }] }, { ports: [{ port: 81, protocol: 'TCP' }, { port: 80, protocol: 'TCP' }] }, 'unsure'],
    ['an item without its key', { ports: [{ name: 'a' }] }, { ports: [{ port: 80, protocol: 'TCP' }] }, 'unsure'],
    ['untyped: a list is whole', { free: { a: [1] } }, { free: { a: [1, 2] } }, 'different'],
    ['untyped: a map is not', { free: { a: 1 } }, { free: { a: 1, b: 2 } }, 'equal'],
    ['a text where live has a map', { free: 'a' }, { free: { a: 1 } }, 'different'],
  ])('%s', (_name, desired, live, expected) => {
    expect(prove(object(desired), object(live), schema)).toBe(expected);
  });

  test('a custom resource may keep a null, so absent is not proven to be the same', () => {
    const custom = { ...schema, builtIn: false } as typeof schema;
    const desired = { ...object({ text: 'a' }), extra: null };
    const withExtra = { ...custom, fields: new Map([...(custom.type === 'struct' ? custom.fields : []), ['extra', text]]) } as typeof schema;
    expect(prove(desired, object({ text: 'a' }), withExtra)).toBe('unsure');
    expect(prove(desired, object({ text: 'a' }), { ...withExtra, builtIn: true } as typeof schema)).toBe('equal');
  });

  test('without a schema nothing is proven', () => {
    expect(prove(object({ text: 'a' }), object({ text: 'a' }), undefined)).toBe('unsure');
  });
});

describe('fields of ours that desired no longer has', () => {
  const entry = (manager: string, fields: JsonObject, more: JsonObject = {}): JsonObject => ({
    manager,
    operation: manager === 'setpoint' ? 'Apply' : 'Update',
    apiVersion: 'v1',
    fieldsV1: { 'f:spec': fields },
    ...more,
  });
  const live = { text: 'a', labels: { a: '1', b: '2' }, tags: ['a', 'b'], ports: [{ port: 80, protocol: 'TCP' }] };

  test.each<[string, JsonObject, readonly Json[], string]>([
    ['none', { text: 'a' }, [entry('setpoint', { 'f:text': {} })], 'equal'],
    ['a field, which may be defaulted', { labels: { a: '1' } }, [entry('setpoint', { 'f:text': {} })], 'unsure'],
    ['a key of a map', { labels: { a: '1' } }, [entry('setpoint', { 'f:labels': { 'f:a': {}, 'f:b': {} } })], 'different'],
    ['a key that somebody else owns too', { labels: { a: '1' } }, [entry('setpoint', { 'f:labels': { 'f:b': {} } }), entry('x', { 'f:labels': { 'f:b': {} } })], 'equal'],
    ['an item of a set', { tags: ['a'] }, [entry('setpoint', { 'f:tags': { 'v:"a"': {}, 'v:"b"': {} } })], 'different'],
    ['an item of a list', { text: 'a', ports: [] }, [entry('setpoint', { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } })], 'different'],
    [
      'an item that somebody else owns too, and a field in it that is ours alone',
      { text: 'a', ports: [] },
      [
        entry('setpoint', { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {} } } }),
        entry('x', { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {} } } }),
      ],
      'unsure',
    ],
    ['an item that is kept, keys in another order', { ports: [{ port: 80 }] }, [entry('setpoint', { 'f:ports': { 'k:{"protocol":"TCP","port":80}': { '.': {}, 'f:port': {} } } })], 'equal'],
    ['recorded in another version', { text: 'a' }, [entry('setpoint', { 'f:text': {} }, { apiVersion: 'v2' })], 'unsure'],
    ['owned too, in another version', { labels: { a: '1' } }, [entry('setpoint', { 'f:labels': { 'f:b': {} } }), entry('x', { 'f:labels': { 'f:b': {} } }, { apiVersion: 'v2' })], 'unsure'],
    ['in a record that cannot be read', { text: 'a' }, [entry('setpoint', { 'x:text': {} })], 'unsure'],
    ['in a record that is no object', { text: 'a' }, ['garbage'], 'unsure'],
    ['by index, which our lists never have', { args: ['a'] }, [entry('setpoint', { 'f:args': { 'i:0': {} } })], 'unsure'],
    ['of ours, but updated and not applied', { labels: { a: '1' } }, [entry('setpoint', { 'f:text': {} }, { operation: 'Update' })], 'equal'],
  ])('%s', (_name, desired, managedFields, expected) => {
    const liveObject = object({ ...live, ...(Object.hasOwn(desired, 'args') ? { args: ['a'] } : {}) }, managedFields);
    expect(prove(object(desired), liveObject, schema)).toBe(expected);
  });
});

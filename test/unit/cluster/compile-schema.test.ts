import { expect, test } from 'vitest';
import { compileSchemas } from '../../../src/cluster/compile-schema.ts';
import { parseJson, type Json, type Schema } from '../../../src/model/index.ts';

function compile(properties: Json): (field: string) => Schema | undefined {
  const kinds = compileSchemas({
    components: {
      schemas: {
        X: { type: 'object', properties, 'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'X' }] },
        Other: { type: 'object', properties: { self: { $ref: '#/components/schemas/Other' } } },
        Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }] },
        Ping: { $ref: '#/components/schemas/Pong' },
        Pong: { $ref: '#/components/schemas/Ping' },
        Lists: { type: 'array', items: { $ref: '#/components/schemas/Lists' } },
        Maps: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Maps' } },
        'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: 'string' },
        Many: { type: 'object', 'x-kubernetes-group-version-kind': [{ kind: 'A' }, { kind: 'B' }] },
      },
    },
  });
  return (field) => {
    const schema = kinds.get('X');
    return schema?.type === 'struct' ? schema.fields.get(field)?.schema : undefined;
  };
}

const quantityPattern = String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`;
const atomic = { type: 'list', relation: 'atomic', keys: [] };

test.each<[string, Json, object]>([
  ['a list without markers is replaced whole', { type: 'array', items: {} }, atomic],
  ['a list that says so', { type: 'array', 'x-kubernetes-list-type': 'atomic', 'x-kubernetes-patch-strategy': 'merge' }, atomic],
  ['a keyed list', { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a', 'b'] }, { relation: 'map', keys: ['a', 'b'] }],
  ['a set', { type: 'array', 'x-kubernetes-list-type': 'set' }, { relation: 'set' }],
  ['a list of the older merge', { type: 'array', 'x-kubernetes-patch-strategy': 'merge,retainKeys', 'x-kubernetes-patch-merge-key': 'name' }, { relation: 'map', keys: ['name'] }],
  ['a set of the older merge', { type: 'array', 'x-kubernetes-patch-strategy': 'merge' }, { relation: 'set' }],
  ['a keyed list without keys is replaced whole', { type: 'array', 'x-kubernetes-list-type': 'map' }, atomic],
  ['a quantity by reference', { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity' }] }, { type: 'scalar', format: 'quantity' }],
  ['bytes', { type: 'string', format: 'byte' }, { type: 'scalar', format: 'bytes' }],
  ['an integer or a string', { 'x-kubernetes-int-or-string': true }, { type: 'scalar', format: 'plain' }],
  ['a map', { type: 'object', additionalProperties: { type: 'string' } }, { type: 'map', atomic: false }],
  ['a map that is replaced whole', { type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' }, { type: 'map', atomic: true }],
  ['a marker on the field outweighs the type', { allOf: [{ $ref: '#/components/schemas/Other' }], 'x-kubernetes-map-type': 'atomic' }, { type: 'struct', atomic: true }],
  ['an open type', { type: 'object', properties: {}, 'x-kubernetes-preserve-unknown-fields': true }, { type: 'struct', open: true }],
  ['an untyped object', { type: 'object' }, { type: 'any' }],
  ['nothing known', {}, { type: 'any' }],
  ['an amount in a custom resource', { 'x-kubernetes-int-or-string': true, pattern: quantityPattern, anyOf: [{ type: 'integer' }, { type: 'string' }] }, { type: 'scalar', format: 'quantity-text' }],
  ['an amount in a custom resource that is only text', { type: 'string', pattern: quantityPattern }, { type: 'scalar', format: 'quantity-text' }],
  ['a text with another pattern', { type: 'string', pattern: '^[0-9]+$' }, { type: 'scalar', format: 'plain' }],
])('%s', (_name, property, expected) => {
  expect(compile({ x: property })('x')).toMatchObject(expected);
});

/** Of an object there nothing is known, so that nothing is proven equal. */
const unknown = { type: 'struct', fields: new Map(), atomic: false, open: false, builtIn: false };

test.each<[string, Json]>([
  ['a reference to nowhere', { $ref: '#/components/schemas/Nowhere' }],
  ['a reference to what every object has', { $ref: '#/components/schemas/__proto__' }],
  ['a reference to another document', { $ref: 'https://other.example/schema.json' }],
  ['several types at once', { allOf: [{ $ref: '#/components/schemas/Other' }, { type: 'object' }] }],
  ['one of several types', { oneOf: [{ type: 'object' }, { type: 'array' }] }],
  ['a type that is none', { type: 'banana' }],
  ['no schema at all', 42],
  ['a definition that is only itself', { $ref: '#/components/schemas/Loop' }],
  ['two definitions that are each other', { $ref: '#/components/schemas/Ping' }],
])('%s is unknown', (_name, property) => {
  expect(compile({ x: property })('x')).toEqual(unknown);
});

test.each<[string, Json, (schema: Schema | undefined) => Schema | undefined]>([
  ['list', { $ref: '#/components/schemas/Lists' }, (schema) => (schema?.type === 'list' ? schema.element.schema : undefined)],
  ['map', { $ref: '#/components/schemas/Maps' }, (schema) => (schema?.type === 'map' ? schema.element.schema : undefined)],
])('a %s of itself ends', (_name, property, inner) => {
  expect(inner(compile({ x: property })('x'))).toEqual(unknown);
});

test('however deep a document is, it ends', () => {
  let deep: Json = { type: 'string' };
  for (let level = 0; level < 20_000; level += 1) deep = { type: 'object', properties: { deeper: deep } };
  expect(compile({ x: deep })('x')).toMatchObject({ type: 'struct' });
  const chain = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, at) => [`D${at}`, { type: 'object', properties: { next: { $ref: `#/components/schemas/D${at + 1}` } } }]),
  );
  const root = { type: 'object', properties: { first: { $ref: '#/components/schemas/D0' } }, 'x-kubernetes-group-version-kind': [{ kind: 'X' }] };
  expect(compileSchemas({ components: { schemas: { X: root, ...chain } } }).get('X')).toMatchObject({ type: 'struct' });
});

test('names that mean something to JavaScript are only names', () => {
  const document = '{"components":{"schemas":{"__proto__":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}},"x-kubernetes-group-version-kind":[{"kind":"toString"}]}}}}';
  const schema = compileSchemas(parseJson(document)).get('toString');
  expect(schema?.type === 'struct' && [...schema.fields.keys()]).toEqual(['__proto__', 'constructor']);
});

test('a type that contains itself', () => {
  const schema = compile({ x: { $ref: '#/components/schemas/Other' } })('x');
  expect(schema?.type === 'struct' && schema.fields.get('self')?.schema).toBe(schema);
});

test.each<[string, Json]>([['nothing', null], ['no schemas', {}], ['garbage', { components: { schemas: { X: 'garbage' } } }]])('a document with %s has no kinds', (_name, document) => {
  expect(compileSchemas(document).size).toBe(0);
});

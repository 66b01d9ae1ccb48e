import { expect, test } from 'vitest';
import { compileSchemas } from '../../../src/cluster/compile-schema.ts';
import type { Json, Schema } from '../../../src/model/index.ts';

function compile(properties: Json): (field: string) => Schema | undefined {
  const kinds = compileSchemas({
    components: {
      schemas: {
        X: { type: 'object', properties, 'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'X' }] },
        Other: { type: 'object', properties: { self: { $ref: '#/components/schemas/Other' } } },
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
  ['a reference to nowhere', { $ref: '#/components/schemas/Nowhere' }, { type: 'any' }],
])('%s', (_name, property, expected) => {
  expect(compile({ x: property })('x')).toMatchObject(expected);
});

test('a type that contains itself', () => {
  const schema = compile({ x: { $ref: '#/components/schemas/Other' } })('x');
  expect(schema?.type === 'struct' && schema.fields.get('self')?.schema).toBe(schema);
});

test.each<[string, Json]>([['nothing', null], ['no schemas', {}], ['garbage', { components: { schemas: { X: 'garbage' } } }]])('a document with %s has no kinds', (_name, document) => {
  expect(compileSchemas(document).size).toBe(0);
});

// Schemas in a few words.
import type { SchemaField } from '../../../src/model/index.ts';

export const text: SchemaField = { schema: { type: 'scalar', format: 'plain' } };

export function struct(fields: Readonly<Record<string, SchemaField>>, atomic = false): SchemaField {
  return { schema: { type: 'struct', fields: new Map(Object.entries(fields)), atomic, open: false, builtIn: true } };
}

export function list(relation: 'atomic' | 'set' | 'map', element: SchemaField, ...keys: string[]): SchemaField {
  return { schema: { type: 'list', relation, keys, element } };
}

export function map(element: SchemaField, atomic = false): SchemaField {
  return { schema: { type: 'map', element, atomic } };
}

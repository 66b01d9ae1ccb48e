import { isDeepStrictEqual } from 'node:util';
import type { Schema, SchemaField } from '../../src/model/index.ts';

/** Whether two schemas are alike in every part. They may contain themselves, and share so many parts that no ordinary comparison ends. */
export function sameSchema(one: Schema, other: Schema): boolean {
  const seen = new Map<Schema, Set<Schema>>();
  const open: [Schema, Schema][] = [[one, other]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    const partners = seen.get(a) ?? new Set();
    if (partners.has(b)) continue;
    seen.set(a, partners.add(b));
    const [fieldsOfA, fieldsOfB] = [fieldsOf(a), fieldsOf(b)];
    if (!isDeepStrictEqual(shape(a), shape(b)) || !isDeepStrictEqual([...fieldsOfA.keys()], [...fieldsOfB.keys()])) return false;
    for (const [key, field] of fieldsOfA) {
      const partner = fieldsOfB.get(key);
      if (partner === undefined || !isDeepStrictEqual(field.default, partner.default)) return false;
      open.push([field.schema, partner.schema]);
    }
  }
  return true;
}

function fieldsOf(schema: Schema): ReadonlyMap<string, SchemaField> {
  if (schema.type === 'struct') return schema.fields;
  return new Map(schema.type === 'map' || schema.type === 'list' ? [['', schema.element]] : []);
}

function shape(schema: Schema): object {
  return { ...schema, fields: null, element: null };
}

import { canonicalJson, isObject, type Json, type SchemaField } from '../model/index.ts';

interface KeyedList {
  readonly relation: 'set' | 'map';
  readonly keys: readonly string[];
  readonly element: SchemaField;
}

export interface KeyedItem {
  readonly at: number;
  readonly value: Json;
}

/** The items of a list by what identifies them; undefined where one has no identity, or two have the same. */
export function listKeys(items: readonly Json[], list: KeyedList): ReadonlyMap<string, KeyedItem> | undefined {
  const byKey = new Map<string, KeyedItem>();
  for (const [at, value] of items.entries()) {
    const key = list.relation === 'set' ? canonicalJson(value) : itemKey(value, list);
    if (key === undefined || byKey.has(key)) return undefined;
    byKey.set(key, { at, value });
  }
  return byKey;
}

/** In the form in which FieldsV1 writes it: `{"containerPort":80,"protocol":"TCP"}`, defaults filled in. */
function itemKey(item: Json, { keys, element }: KeyedList): string | undefined {
  if (!isObject(item)) return undefined;
  const [only = '', ...more] = keys;
  const name = more.length === 0 && Object.hasOwn(item, only) ? item[only] : undefined;
  // Nearly all lists have one key, and it is a name: the long way costs a fifth of a comparison.
  if (typeof name === 'string') return `{${JSON.stringify(only)}:${JSON.stringify(name)}}`;
  const fields = element.schema.type === 'struct' ? element.schema.fields : new Map<string, SchemaField>();
  const parts = keys.map((key) => [key, Object.hasOwn(item, key) ? item[key] : fields.get(key)?.default] as const);
  if (parts.some(([, value]) => value === undefined || value === null)) return undefined;
  return canonicalJson(Object.fromEntries(parts) as Record<string, Json>);
}

import { isList, isObject, parseJsonOrUndefined, stringifyJson, type Json, type Schema, type SchemaField } from '../model/index.ts';

// Schemas refer to each other and to themselves, so they are written as a table: each refers to others by their place in it.
//   "plain"                                    a scalar by its format, or "any"
//   ["struct", flags, "name", field, …]        flags: 1 atomic, 2 open, 4 built-in
//   ["map", flags, field]
//   ["list", "set", ["key", …], field]
// A field is the place of its schema, or [place, zero or null, default].

type Schemas = ReadonlyMap<string, Schema>;

export function schemasToText(kinds: Schemas): string {
  const places = new Map<Schema | string, number>();
  const table: Schema[] = [];
  const place = (schema: Schema): number => {
    // Scalars are many and alike: one of a sort is enough.
    const key = leafName(schema) ?? schema;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, table.length);
    return table.push(schema) - 1;
  };
  const field = ({ schema, default: preset, zero }: SchemaField): Json => {
    if (preset === undefined && zero === undefined) return place(schema);
    return [place(schema), zero ?? null, ...(preset === undefined ? [] : [preset])];
  };
  const roots = [...kinds].map(([kind, schema]): Json => [kind, place(schema)]);
  const rows: Json[] = [];
  // The table grows while it is written.
  for (let row = table[0]; row !== undefined; row = table[rows.length]) rows.push(writeRow(row, field));
  return stringifyJson({ kinds: roots, table: rows });
}

function leafName(schema: Schema): string | undefined {
  return schema.type === 'scalar' ? schema.format : schema.type === 'any' ? 'any' : undefined;
}

function writeRow(schema: Schema, field: (of: SchemaField) => Json): Json {
  switch (schema.type) {
    case 'any':
      return 'any';
    case 'scalar':
      return schema.format;
    case 'struct': {
      const flags = Number(schema.atomic) + 2 * Number(schema.open) + 4 * Number(schema.builtIn);
      return ['struct', flags, ...[...schema.fields].flatMap(([key, of]) => [key, field(of)])];
    }
    case 'map':
      return ['map', Number(schema.atomic), field(schema.element)];
    case 'list':
      return ['list', schema.relation, schema.keys, field(schema.element)];
  }
}

/** Undefined where the text is not ours, or not whole. */
export function schemasFromText(text: string): Schemas | undefined {
  const content = parseJsonOrUndefined(text);
  const [kinds, rows] = isObject(content) ? [content['kinds'], content['table']] : [];
  if (!isList(kinds) || !isList(rows)) return undefined;
  try {
    return readTable(kinds, rows);
  } catch (error) {
    if (error instanceof NotOurs) return undefined;
    throw error;
  }
}

class NotOurs extends Error {}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function readTable(kinds: readonly Json[], rows: readonly Json[]): Schemas {
  // First all of them without their parts, since those may come later in the table, or be what they are part of.
  const table = rows.map(readShell);
  const at = (place: Json | undefined): Schema => table[typeof place === 'number' ? place : -1] ?? fail();
  const field = (value: Json | undefined): SchemaField => {
    if (!isList(value)) return { schema: at(value) };
    const [place, zero, preset] = value;
    return { schema: at(place), ...(preset !== undefined && { default: preset }), ...(isZero(zero) && { zero }) };
  };
  rows.forEach((row, index) => {
    const shell = table[index];
    if (!isList(row) || shell === undefined) return;
    if (shell.type === 'struct') readFields(row.slice(2), field, shell.fields as Map<string, SchemaField>);
    if (shell.type === 'map') (shell as Writable<typeof shell>).element = field(row[2]);
    if (shell.type === 'list') (shell as Writable<typeof shell>).element = field(row[3]);
  });
  return new Map(kinds.map((entry) => (isList(entry) && typeof entry[0] === 'string' ? [entry[0], at(entry[1])] : fail())));
}

function isZero(value: Json | undefined): value is false | 0 | '' {
  return value === false || value === 0 || value === '';
}

function readFields(pairs: readonly Json[], field: (value: Json | undefined) => SchemaField, fields: Map<string, SchemaField>): void {
  for (let at = 0; at < pairs.length; at += 2) {
    const key = pairs[at];
    fields.set(typeof key === 'string' ? key : fail(), field(pairs[at + 1]));
  }
}

const placeholder: SchemaField = { schema: { type: 'any' } };
const formats = ['plain', 'quantity', 'quantity-text', 'bytes'] as const;
const relations = ['atomic', 'set', 'map'] as const;

function readShell(row: Json): Schema {
  if (row === 'any') return { type: 'any' };
  if (!isList(row)) return { type: 'scalar', format: formats.find((format) => format === row) ?? fail() };
  const [type, second, keys] = row;
  if (type === 'list') {
    const relation = relations.find((candidate) => candidate === second) ?? fail();
    return { type, relation, keys: isList(keys) ? keys.map((key) => (typeof key === 'string' ? key : fail())) : fail(), element: placeholder };
  }
  const flags = typeof second === 'number' ? second : fail();
  if (type === 'map') return { type, atomic: flags === 1, element: placeholder };
  if (type !== 'struct') return fail();
  return { type, fields: new Map(), atomic: (flags & 1) !== 0, open: (flags & 2) !== 0, builtIn: (flags & 4) !== 0 };
}

function fail(): never {
  throw new NotOurs();
}

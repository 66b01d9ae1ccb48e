// Checks a value against a JSON Schema, for the part of JSON Schema that our own schemas use; what it does not know it refuses.
import { isList, isObject, stringifyJson, type Json, type JsonObject } from '../../src/model/index.ts';

const known = new Set(['$schema', '$defs', '$ref', 'title', 'description', 'type', 'required', 'properties', 'items', 'const', 'enum', 'oneOf']);

const types: Readonly<Record<string, (value: Json) => boolean>> = {
  object: isObject,
  array: isList,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => typeof value === 'bigint' || Number.isInteger(value),
};

export interface SchemaCheck {
  /** What is wrong, each with its place; none where the value is as the schema says. Stricter than readers may be: an unknown field is wrong. */
  errors(value: Json): readonly string[];
  /** Properties of the schema that no value had so far. */
  unused(): readonly string[];
}

export function checkAgainst(root: JsonObject): SchemaCheck {
  const used = new Set<JsonObject>();

  function check(schema: JsonObject, value: Json, at: string): readonly string[] {
    const strange = Object.keys(schema).filter((keyword) => !known.has(keyword));
    if (strange.length > 0) throw new Error(`this check does not know ${strange.join(', ')}`);
    if (typeof schema['$ref'] === 'string') return check(resolve(root, schema['$ref']), value, at);
    if (isList(schema['oneOf'])) return oneOf(schema['oneOf'].filter(isObject), value, at);
    if ('const' in schema && schema['const'] !== value) return [`${at}: not ${stringifyJson(schema['const'] ?? null)}`];
    if (isList(schema['enum']) && !schema['enum'].includes(value)) return [`${at}: not one of ${stringifyJson(schema['enum'])}`];
    const type = schema['type'];
    if (typeof type === 'string' && types[type]?.(value) !== true) return [`${at}: not of type ${type}`];
    const items = schema['items'];
    if (isList(value) && isObject(items)) {
      return value.flatMap((item, index) => check(items, item, `${at}/${index}`));
    }
    return isObject(value) && isObject(schema['properties']) ? members(schema, value, at) : [];
  }

  function members(schema: JsonObject, value: JsonObject, at: string): readonly string[] {
    const properties = schema['properties'] as Readonly<Record<string, JsonObject>>;
    const wanting = ((schema['required'] ?? []) as readonly string[]).filter((key) => !Object.hasOwn(value, key));
    return [
      ...wanting.map((key) => `${at}/${key}: wanting`),
      ...Object.entries<Json>(value).flatMap(([key, item]) => {
        const property = properties[key];
        if (property === undefined) return [`${at}/${key}: not in the schema`];
        used.add(property);
        return check(property, item, `${at}/${key}`);
      }),
    ];
  }

  function oneOf(choices: readonly JsonObject[], value: Json, at: string): readonly string[] {
    const answers = choices.map((choice) => check(choice, value, at));
    const fitting = answers.filter((errors) => errors.length === 0).length;
    if (fitting === 1) return [];
    return fitting > 1 ? [`${at}: fits ${fitting} choices, not one`] : (answers.toSorted((a, b) => a.length - b.length)[0] ?? []);
  }

  return { errors: (value) => check(root, value, ''), unused: () => propertiesOf(root, '').flatMap(([at, property]) => (used.has(property) ? [] : [at])) };
}

function resolve(root: JsonObject, reference: string): JsonObject {
  const target = (root['$defs'] as Readonly<Record<string, JsonObject>>)[reference.replace('#/$defs/', '')];
  if (target === undefined) throw new Error(`${reference} leads nowhere`);
  return target;
}

function propertiesOf(schema: Json, at: string): readonly (readonly [string, JsonObject])[] {
  if (isList(schema)) return schema.flatMap((item, index) => propertiesOf(item, `${at}/${index}`));
  if (!isObject(schema)) return [];
  return Object.entries<Json>(schema).flatMap(([key, value]) => {
    const inside = propertiesOf(value, `${at}/${key}`);
    if (key !== 'properties' || !isObject(value)) return inside;
    return [...Object.entries(value).map(([name, property]) => [`${at}/${name}`, property as JsonObject] as const), ...inside];
  });
}

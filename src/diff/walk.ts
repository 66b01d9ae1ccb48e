import { canonicalJson, isList, isObject, type Json, type JsonObject, type Schema, type SchemaField } from '../model/index.ts';
import { canonicalBase64 } from './base64.ts';
import { listKeys } from './list-keys.ts';
import { sameAmount, sameQuantity } from './quantity.ts';

/**
 * Whether an apply of `desired` would leave `live` as it is. `equal` is a proof; `different` is certain but for admission;
 * `unsure` means that only the server can tell.
 */
export type Answer = 'equal' | 'different' | 'unsure';

interface Position {
  readonly schema: Schema;
  /** Inside a value that is replaced whole, extra parts of live are not somebody else's: they would go. */
  readonly whole: boolean;
}

const any: SchemaField = { schema: { type: 'any' } };

export function walk(desired: Json, live: Json | undefined, { schema, whole }: Position): Answer {
  // In a value that is replaced whole, `{}` is an object like any other: what live has in it must come back by itself.
  if (whole && isObject(desired) && isObject(live) && !isEmpty(live)) return walkObject(desired, live, { schema, whole });
  if (desired === null || isEmpty(desired)) return isMergedInto(desired, live, { schema, whole }) ? 'equal' : walkEmpty(desired, live);
  if (live === undefined || live === null) return isZero(desired) ? 'unsure' : 'different';
  if (isList(desired)) return isList(live) ? walkList(desired, live, { schema, whole }) : 'different';
  if (isObject(desired)) return isObject(live) ? walkObject(desired, live, { schema, whole }) : 'different';
  return walkScalar(desired, live, schema);
}

/** What has nothing in it, merged into what has something, changes nothing. */
function isMergedInto(desired: Json, live: Json | undefined, { schema, whole }: Position): boolean {
  if (whole || live === undefined || isEmpty(live)) return false;
  if (isObject(desired)) return isObject(live) && (schema.type === 'struct' || schema.type === 'map') && !schema.atomic;
  return isList(desired) && isList(live) && schema.type === 'list' && schema.relation !== 'atomic';
}

/** Nothing, `{}` and `[]` may be stored, dropped or defaulted: the server knows. */
function walkEmpty(desired: Json, live: Json | undefined): Answer {
  if (live === undefined) return desired === null ? 'equal' : 'unsure';
  return canonicalJson(desired) === canonicalJson(live) ? 'equal' : 'unsure';
}

function walkScalar(desired: Json, live: Json, schema: Schema): Answer {
  if (desired === live) return 'equal';
  if (typeof live === 'object') return 'different';
  const format = schema.type === 'scalar' ? schema.format : 'plain';
  if (isZero(desired)) return 'unsure';
  if (format === 'quantity') return sameQuantity(desired, live);
  // The server keeps the spelling, and yet it is the same amount.
  if (format === 'quantity-text' && sameAmount(desired, live)) return 'unsure';
  if (format === 'bytes') return sameBytes(desired, live);
  // 1.0 and 1, 5n and 5: the same number to the server, whatever JSON made of it.
  return isNumber(desired) && isNumber(live) && Number(desired) === Number(live) && String(desired) === String(live) ? 'equal' : 'different';
}

function walkObject(desired: JsonObject, live: JsonObject, { schema, whole }: Position): Answer {
  const replaced = whole || ((schema.type === 'struct' || schema.type === 'map') && schema.atomic);
  const answers = Object.keys(desired).map((key): Answer => {
    const field = fieldOf(schema, key);
    if (field === undefined) return 'unsure';
    const liveValue = Object.hasOwn(live, key) ? live[key] : undefined;
    // A key of a map that is null gets the zero value of its type, a custom resource may keep the null.
    const dropsNull = schema.type === 'struct' && schema.builtIn && schema.fields.has(key);
    if (desired[key] === null && liveValue === undefined && !dropsNull) return 'unsure';
    if (liveValue === undefined && field.zero !== undefined && desired[key] === field.zero) return 'equal';
    return walk(desired[key] ?? null, liveValue, { schema: field.schema, whole: replaced });
  });
  if (replaced) {
    for (const key of Object.keys(live)) {
      if (!Object.hasOwn(desired, key)) answers.push(isDefault(schema, key, live[key]) ? 'equal' : 'unsure');
    }
  }
  return worst(answers);
}

function walkList(desired: readonly Json[], live: readonly Json[], { schema, whole }: Position): Answer {
  const { element, relation, keys } = schema.type === 'list' ? schema : { element: any, relation: 'atomic' as const, keys: [] };
  if (whole || relation === 'atomic') {
    if (desired.length !== live.length) return 'different';
    return worst(desired.map((item, at) => walk(item, live[at], { schema: element.schema, whole: true })));
  }
  const [wanted, actual] = [listKeys(desired, { relation, keys, element }), listKeys(live, { relation, keys, element })];
  if (wanted === undefined || actual === undefined) return 'unsure';
  const answers: Answer[] = [];
  let previous = -1;
  for (const [key, item] of wanted) {
    const found = actual.get(key);
    if (found === undefined) return 'different';
    // The server keeps its own order of items that others own in between; another order of ours it may take over.
    if (found.at < previous) answers.push('unsure');
    previous = found.at;
    answers.push(walk(item.value, found.value, { schema: element.schema, whole: false }));
  }
  return worst(answers);
}

/** Undefined: the kind has no such field. */
export function fieldOf(schema: Schema, key: string): SchemaField | undefined {
  if (schema.type === 'struct') return schema.fields.get(key) ?? (schema.open ? any : undefined);
  return schema.type === 'map' ? schema.element : any;
}

/** Fields of a type come back by themselves; keys of a map do not, whatever the default of their values is. */
function isDefault(schema: Schema, key: string, value: Json | undefined): boolean {
  const preset = schema.type === 'struct' ? schema.fields.get(key)?.default : undefined;
  return preset !== undefined && value !== undefined && canonicalJson(preset) === canonicalJson(value);
}

function worst(answers: readonly Answer[]): Answer {
  if (answers.includes('different')) return 'different';
  return answers.includes('unsure') ? 'unsure' : 'equal';
}

function isEmpty(value: Json): boolean {
  return isList(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function isZero(value: Json): boolean {
  return value === 0 || value === false || value === '';
}

function isNumber(value: Json): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Text that is no base64, or not the only way to write its bytes, is for the server to judge. */
function sameBytes(desired: Json, live: Json): Answer {
  if (typeof desired !== 'string' || typeof live !== 'string') return 'unsure';
  const wanted = canonicalBase64(desired);
  if (wanted === undefined) return 'unsure';
  return Buffer.from(wanted, 'base64').equals(Buffer.from(live, 'base64')) ? 'equal' : 'different';
}

/** A JSON value whose integers are exact: one that a double cannot hold is a bigint. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

// TypeScript does not know the source-text parts of JSON yet (V8 has them since Node 21).
type Reviver = (key: string, value: Json, context: { readonly source?: string }) => Json;
const parse = JSON.parse as (text: string, reviver?: Reviver) => Json;
const rawJson = (JSON as unknown as { rawJSON(text: string): JsonObject }).rawJSON;

// Not within a longer word: descriptions in schemas have hexadecimal numbers of that length.
const mayHoldBigInteger = /(?:^|[\s:,[-])\d{16}/;
const integer = /^-?\d+$/;

/** Whether a text may hold an integer that `JSON.parse` would round. Almost none does, and to look takes as long as to parse. */
export function mayRound(text: string): boolean {
  return mayHoldBigInteger.test(text);
}

export function parseJson(text: string): Json {
  // The reviver makes parsing several times slower.
  if (!mayRound(text)) return parse(text);
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && integer.test(source)
      ? BigInt(source)
      : value,
  );
}

/** For text that others wrote: undefined where it is no JSON. */
export function parseJsonOrUndefined(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export function stringifyJson(value: Json, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // Integers beyond a double: rare, and to look at every member for one takes several times as long.
    return stringifyExactly(value, indent);
  }
}

function stringifyExactly(value: Json, indent: number | undefined): string {
  const exact = (_key: string, item: Json): Json => (typeof item === 'bigint' ? rawJson(item.toString()) : item);
  return JSON.stringify(value, exact as (key: string, item: unknown) => unknown, indent);
}

/** The same text for the same value, whatever the order of its keys. */
export function canonicalJson(value: Json): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
  const entries = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${entries.join(',')}}`;
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** The keys and values of an object; none where it is something else. */
export function entriesOf(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries<Json>(value) : [];
}

/** The value of an object's own key: one named like something of JavaScript's is data, and nothing else is. */
export function childOf(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The value at a path of keys, or undefined where the path leaves the objects. */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce(childOf, value);
}

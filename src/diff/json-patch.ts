import fastJsonPatch, { type Operation } from 'fast-json-patch';
import { isList, isObject, sameValue, type Json, type JsonObject, type Patch, type PatchOperation } from '../model/index.ts';
import { keysOf, pointerOf, valueAtKeys } from './json-pointer.ts';

/** The operations as they are if they turn `before` into `after`; otherwise others that do, less easy to read. */
export function provenPatch(operations: Patch, before: JsonObject, after: JsonObject): Patch {
  return applies(operations, before, after) ? operations : plainPatch(before, after);
}

function applies(operations: Patch, before: JsonObject, after: JsonObject): boolean {
  const result = applied(operations, before);
  return result !== undefined && sameValue(result, encode(after));
}

/** Undefined where an operation cannot be carried out. A path through `__proto__` is one of those. */
function applied(operations: Patch, before: JsonObject): Json | undefined {
  try {
    return fastJsonPatch.applyPatch(encode(before), encode(operations as unknown as Json) as unknown as Operation[], true).newDocument;
  } catch {
    return undefined;
  }
}

/** The patch by position, without a word of schemas. */
export function plainPatch(before: JsonObject, after: JsonObject): Patch {
  const operations = fastJsonPatch.compare(encode(before) as object, encode(after) as object);
  return decode(operations as unknown as Json) as unknown as Patch;
}

/**
 * The patch with a test before each operation that replaces or removes something, and one for the name of each list item on
 * the way: on an object that has moved on it fails whole instead of hitting another item.
 */
export function guarded(patch: Patch, before: JsonObject): Patch {
  const named = new Set<string>();
  const tested = patch.flatMap((operation) => [...namesOnTheWay(operation.path, before, named), ...valueTest(operation, before), operation]);
  // Where items move while the patch is carried out, a test would look at the wrong one.
  return applied(tested, before) === undefined ? patch : tested;
}

function valueTest({ op, path }: PatchOperation, before: JsonObject): Patch {
  const value = op === 'replace' || op === 'remove' ? valueAtKeys(before, keysOf(path)) : undefined;
  return value === undefined ? [] : [{ op: 'test', path, value }];
}

function namesOnTheWay(path: string, before: JsonObject, done: Set<string>): Patch {
  const keys = keysOf(path);
  return keys.slice(0, -1).flatMap((_key, at): Patch => {
    const way = keys.slice(0, at + 1);
    const name = isList(valueAtKeys(before, way.slice(0, -1))) ? valueAtKeys(before, [...way, 'name']) : undefined;
    const pointer = `${pointerOf(way)}/name`;
    if (typeof name !== 'string' || done.has(pointer)) return [];
    done.add(pointer);
    return [{ op: 'test', path: pointer, value: name }];
  });
}

// fast-json-patch copies values through JSON text, which has no bigint: such an integer travels as a marked string,
// and so does a string that happens to begin with the mark.
const mark = '\uFFFF';

function encode(value: Json): Json {
  return mapScalars(value, (scalar) => {
    if (typeof scalar === 'bigint') return `${mark}n${scalar}`;
    return typeof scalar === 'string' && scalar.startsWith(mark) ? `${mark}s${scalar}` : scalar;
  });
}

function decode(value: Json): Json {
  return mapScalars(value, (scalar) => {
    if (typeof scalar !== 'string' || !scalar.startsWith(mark)) return scalar;
    const text = scalar.slice(mark.length + 1);
    return scalar[mark.length] === 'n' ? BigInt(text) : text;
  });
}

function mapScalars(value: Json, map: (scalar: Json) => Json): Json {
  if (isList(value)) return value.map((item) => mapScalars(item, map));
  if (!isObject(value)) return map(value);
  return Object.fromEntries(Object.entries<Json>(value).map(([key, item]) => [key, mapScalars(item, map)]));
}

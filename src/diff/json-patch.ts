import fastJsonPatch from 'fast-json-patch';
import { isList, isObject, type Json, type JsonObject, type Patch } from '../model/index.ts';

/** The RFC 6902 patch that turns `before` into `after`. */
export function jsonPatch(before: JsonObject, after: JsonObject): Patch {
  const operations = fastJsonPatch.compare(encode(before) as object, encode(after) as object);
  return decode(operations as unknown as Json) as unknown as Patch;
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

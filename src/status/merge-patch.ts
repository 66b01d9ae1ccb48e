import { isList, isObject, type Json, type JsonObject } from '../model/index.ts';

/** A JSON merge patch as the API server does it: null takes a field away, one within a list too, and lists are replaced as a whole. */
export function mergePatch(before: Json | undefined, patch: JsonObject): JsonObject {
  const after = new Map(Object.entries<Json>(isObject(before ?? null) ? (before as JsonObject) : {}));
  for (const [field, value] of Object.entries<Json>(patch)) {
    if (value === null) after.delete(field);
    else after.set(field, isObject(value) ? mergePatch(after.get(field), value) : withoutNulls(value));
  }
  return Object.fromEntries(after);
}

function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls);
  return isObject(value) ? mergePatch({}, value) : value;
}

import { childOf, isList, isObject, valueAt, type Json, type JsonObject } from '../model/index.ts';

/** The number at a dotted path; undefined where there is none. */
export function numberAt(value: Json | undefined, path: string): number | undefined {
  const found = valueAt(value, path.split('.'));
  return typeof found === 'number' || typeof found === 'bigint' ? Number(found) : undefined;
}

export function textAt(value: Json | undefined, path: string): string | undefined {
  const found = valueAt(value, path.split('.'));
  return typeof found === 'string' && found !== '' ? found : undefined;
}

export function isTrueAt(value: Json | undefined, path: string): boolean {
  return valueAt(value, path.split('.')) === true;
}

/** The objects in the list at a dotted path; none where there is no list. */
export function objectsAt(value: Json | undefined, path: string): readonly JsonObject[] {
  const found = valueAt(value, path.split('.'));
  return isList(found) ? found.filter(isObject) : [];
}

/** The text at one key, which may have dots. */
export function childText(value: Json | undefined, key: string): string | undefined {
  const found = childOf(value, key);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

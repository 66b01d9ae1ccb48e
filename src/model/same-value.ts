import { isList, isObject, type Json } from './json.ts';

/** Whether two values are the same JSON, whatever the order of their keys. */
export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, at) => sameValue(item, b[at]));
  if (!isObject(a) || !isObject(b) || isList(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key]));
}

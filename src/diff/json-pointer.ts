import { childOf, isList, isObject, type Json } from '../model/index.ts';

export function keysOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function valueAtKeys(root: Json | undefined, keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>((at, key) => {
    if (isList(at)) return at[Number(key)];
    return childOf(at, key);
  }, root);
}

/** The object without what the pointers point to. A pointer to nothing changes nothing. */
export function removeAt<T extends Json>(root: T, pointers: readonly string[]): T {
  // The last items of lists go first, so that the others keep their places.
  const ordered = pointers.toSorted((a, b) => comparePointers(b, a));
  return ordered.reduce<Json>((object, pointer) => removeOne(object, keysOf(pointer)), root) as T;
}

/** The order of an object read from top to bottom: items of lists by their index. */
export function comparePointers(a: string, b: string): number {
  return compareKeys(keysOf(a), keysOf(b));
}

function removeOne(value: Json, [key, ...rest]: readonly string[]): Json {
  if (key === undefined) return value;
  if (isList(value)) {
    const at = Number(key);
    return rest.length === 0 ? value.toSpliced(at, 1) : value.map((item, index) => (index === at ? removeOne(item, rest) : item));
  }
  if (!isObject(value) || !Object.hasOwn(value, key)) return value;
  const entries = Object.entries<Json>(value);
  if (rest.length === 0) return Object.fromEntries(entries.filter(([name]) => name !== key));
  return Object.fromEntries(entries.map(([name, item]) => [name, name === key ? removeOne(item, rest) : item]));
}

function compareKeys(a: readonly string[], b: readonly string[]): number {
  for (const [at, key] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    if (key === other) continue;
    const [left, right] = [Number(key), Number(other)];
    return Number.isInteger(left) && Number.isInteger(right) ? left - right : key < other ? -1 : 1;
  }
  return a.length - b.length;
}

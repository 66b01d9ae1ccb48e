import { childOf, isList, isObject, stringifyJson, type Json } from '../model/index.ts';

/** A path as people write it and ignore rules read it; items of lists by their names where they have one: `spec.containers[name=app].image`. */
export function displayPath(root: Json, keys: readonly string[]): string {
  let display = '';
  let at: Json | undefined = root;
  for (const key of keys) {
    if (isList(at)) {
      const item: Json | undefined = at[Number(key)];
      display += `[${itemLabel(item ?? null, Number(key), [])}]`;
      at = item;
    } else {
      display += segment(key, display);
      at = childOf(at, key);
    }
  }
  return display;
}

/** A key that holds dots or slashes would read like a path of its own. */
export function segment(key: string, before: string): string {
  if (!/^[\w-]+$/.test(key)) return `[${JSON.stringify(key)}]`;
  return before === '' ? key : `.${key}`;
}

/** `name=app`, `port=443,protocol=UDP`, or the index of an item that nothing identifies. */
export function itemLabel(item: Json, at: number, keys: readonly string[]): string {
  if (!isObject(item)) return String(at);
  const named = (keys.length === 0 ? ['name'] : keys).filter((key) => Object.hasOwn(item, key) && isScalar(item[key]));
  return named.length === 0 ? String(at) : named.map((key) => `${key}=${label(item[key] ?? null)}`).join();
}

function isScalar(value: Json | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
}

function label(value: Json): string {
  return typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : stringifyJson(value);
}

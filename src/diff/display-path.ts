import { isList, isObject, type Json } from '../model/index.ts';

/** A path as people write it; items of lists by their names where they have one: `spec.containers[app].image`. */
export function displayPath(root: Json, keys: readonly string[]): string {
  let display = '';
  let at: Json | undefined = root;
  for (const key of keys) {
    if (isList(at)) {
      const item: Json | undefined = at[Number(key)];
      display += `[${isObject(item) && typeof item['name'] === 'string' ? item['name'] : key}]`;
      at = item;
    } else {
      display += segment(key, display);
      at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    }
  }
  return display;
}

/** A key that holds dots or slashes would read like a path of its own. */
function segment(key: string, before: string): string {
  if (!/^[\w-]+$/.test(key)) return `[${JSON.stringify(key)}]`;
  return before === '' ? key : `.${key}`;
}

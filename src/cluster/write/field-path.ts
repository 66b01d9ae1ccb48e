import { childOf, isList, isObject, parseJsonOrUndefined, type Json } from '../../model/index.ts';

/**
 * The object without the field that the server calls, say, `.spec.ports[port=80,protocol="TCP"].name`. Undefined where it has
 * no such field. Keys are not quoted there (`.metadata.labels.app.kubernetes.io/name`): only the object tells where one ends.
 */
export function withoutField<T extends Json>(object: T, path: string): T | undefined {
  const keys = follow(object, path);
  return keys === undefined || keys.length === 0 ? undefined : (removeAt(object, keys) as T);
}

type Keys = readonly (string | number)[];

function follow(value: Json, path: string): Keys | undefined {
  if (path === '') return [];
  if (isList(value)) return followItem(value, path);
  if (!isObject(value)) return undefined;
  for (const [key, below] of Object.entries<Json>(value)) {
    if (!path.startsWith(`.${key}`)) continue;
    const found = follow(below, path.slice(key.length + 1));
    if (found !== undefined) return [key, ...found];
  }
  return undefined;
}

const scalar = String.raw`(?:"(?:[^"\\]|\\.)*"|[^,\]"]*)`;
const selector = new RegExp(String.raw`^\[(?:(?<index>\d+)|=(?<value>${scalar})|(?<pairs>[\w-]+=${scalar}(?:,[\w-]+=${scalar})*))\]`);
const pair = new RegExp(String.raw`(?<key>[\w-]+)=(?<text>${scalar})`, 'g');

function followItem(items: readonly Json[], path: string): Keys | undefined {
  const match = selector.exec(path);
  if (match === null) return undefined;
  const { index, value, pairs } = match.groups ?? {};
  const at = index === undefined ? (value === undefined ? byKeys(items, pairs ?? '') : byValue(items, value)) : Number(index);
  const item = items[at];
  const found = item === undefined ? undefined : follow(item, path.slice(match[0].length));
  return found === undefined ? undefined : [at, ...found];
}

function byValue(items: readonly Json[], text: string): number {
  const value = parseJsonOrUndefined(text);
  return items.findIndex((item) => item === value);
}

/** Git may leave a key to its default (`protocol`), which the server has filled in: an item that has the key counts before one that has not. */
function byKeys(items: readonly Json[], text: string): number {
  const wanted = [...text.matchAll(pair)].map(({ groups }) => [groups?.['key'] ?? '', parseJsonOrUndefined(groups?.['text'] ?? '')] as const);
  const exact = items.findIndex((item) => wanted.every(([key, value]) => childOf(item, key) === value));
  if (exact !== -1) return exact;
  return items.findIndex((item) => {
    const given = wanted.filter(([key]) => childOf(item, key) !== undefined);
    return given.length > 0 && given.every(([key, value]) => childOf(item, key) === value);
  });
}

function removeAt(value: Json, [key, ...rest]: Keys): Json {
  if (isList(value) && typeof key === 'number') {
    return rest.length === 0 ? value.toSpliced(key, 1) : value.map((item, at) => (at === key ? removeAt(item, rest) : item));
  }
  if (!isObject(value)) return value;
  const entries = Object.entries<Json>(value);
  if (rest.length === 0) return Object.fromEntries(entries.filter(([name]) => name !== key));
  return Object.fromEntries(entries.map(([name, item]) => [name, name === key ? removeAt(item, rest) : item]));
}

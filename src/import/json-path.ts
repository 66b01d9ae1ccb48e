import { childOf, isList, isObject, parseJson, type Json, type JsonObject } from '../model/index.ts';

export type JsonPath = readonly (string | number)[];

/** The value with another one at a path, or with none where `change` gives undefined. A path that leads nowhere changes nothing. */
export function changeAt(value: Json, path: JsonPath, change: (value: Json) => Json | undefined): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (isList(value) && typeof key === 'number') {
    return value.flatMap((item, index) => {
      const changed = index === key ? changeAt(item, rest, change) : item;
      return changed === undefined ? [] : [changed];
    });
  }
  if (!isObject(value) || typeof key !== 'string' || !Object.hasOwn(value, key)) return value;
  const changed = changeAt(value[key] ?? null, rest, change);
  return Object.fromEntries(Object.entries<Json>(value).flatMap(([name, item]) => (name !== key ? [[name, item]] : changed === undefined ? [] : [[name, changed]])));
}

/** Without what is at the paths, and without the maps and lists that held nothing else. */
export function withoutPaths(value: JsonObject, paths: readonly JsonPath[]): JsonObject {
  // The last of a list first: the others keep their numbers.
  return paths.toSorted(lastFirst).reduce<JsonObject>((left, path) => withoutPath(left, path), value);
}

function withoutPath(value: JsonObject, path: JsonPath): JsonObject {
  const without = (changeAt(value, path, () => undefined) ?? {}) as JsonObject;
  const parent = path.slice(0, -1);
  // `automated: {}` asks for something: it is no empty block.
  if (parent.length < 2 || parent.at(-1) === 'automated') return without;
  const left = parent.reduce<Json | undefined>((item, key) => (typeof key === 'string' ? childOf(item, key) : isList(item) ? item[key] : undefined), without);
  const isEmpty = (isList(left) || isObject(left)) && Object.keys(left).length === 0;
  return isEmpty ? withoutPath(without, parent) : without;
}

function lastFirst(a: JsonPath, b: JsonPath): number {
  const at = a.findIndex((key, index) => key !== b[index]);
  const [left, right] = [a[at] ?? '', b[at] ?? ''];
  if (typeof left === 'number' && typeof right === 'number') return right - left;
  return left === right ? b.length - a.length : left < right ? 1 : -1;
}

const step = /^(?:\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\])/;

/** A message that begins with a path as it is shown, and what follows it; undefined where it does not. */
export function splitPath(message: string): { readonly path: JsonPath; readonly shown: string; readonly rest: string } | undefined {
  const path: (string | number)[] = [];
  let end = 0;
  for (;;) {
    const found = step.exec(message.slice(end));
    if (found === null) break;
    const [text, name, index, quoted] = found;
    path.push(name ?? (index === undefined ? (parseJson(quoted ?? '""') as string) : Number(index)));
    end += text.length;
  }
  return path.length > 0 && /^:? /.test(message.slice(end)) ? { path, shown: message.slice(0, end), rest: message.slice(end).replace(/^:? /, '') } : undefined;
}

/** As people read it. */
export function shownPath(path: JsonPath): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : /^[\w-]+$/.test(key) ? `${at === 0 ? '' : '.'}${key}` : `[${key}]`)).join('');
}

import {
  canonicalJson,
  isList,
  isObject,
  parseJson,
  valueAt,
  type FieldOwner,
  type Json,
  type JsonObject,
  type KubeObject,
} from '../model/index.ts';

/** Whom the server recorded as owners of a place in an object, or of the whole that it is a part of. */
export function ownersOf(live: KubeObject, path: readonly string[]): readonly FieldOwner[] {
  return ownersWhere(live, (fields) => owns(fields, live, path));
}

/** The owners of one key of a map, and not those of the map. */
export function ownersOfKey(live: KubeObject, path: readonly string[]): readonly FieldOwner[] {
  const fieldPath = path.map((key) => `f:${key}`);
  return ownersWhere(live, (fields) => valueAt(fields, fieldPath) !== undefined);
}

function ownersWhere(live: KubeObject, isOwner: (fields: Json | undefined) => boolean): readonly FieldOwner[] {
  const entries = live.metadata['managedFields'];
  if (!isList(entries)) return [];
  return entries.filter(isObject).flatMap((entry) => {
    const owner = readOwner(entry);
    return owner !== undefined && isOwner(entry['fieldsV1']) ? [owner] : [];
  });
}

function owns(fields: Json | undefined, live: Json | undefined, path: readonly string[]): boolean {
  if (!isObject(fields)) return false;
  const [key, ...rest] = path;
  // A leaf stands for everything below it: a list or map that is replaced whole.
  if (key === undefined || Object.keys(fields).length === 0) return true;
  if (isList(live)) {
    const item = live[Number(key)];
    const member = Object.keys(fields).find((name) => isItem(name, item));
    return member !== undefined && owns(fields[member], item, rest);
  }
  const child = isObject(live) && Object.hasOwn(live, key) ? live[key] : undefined;
  return Object.hasOwn(fields, `f:${key}`) && owns(fields[`f:${key}`], child, rest);
}

/** `k:{"name":"app"}` names an item by its keys, `v:"x"` by its value. */
function isItem(member: string, item: Json | undefined): boolean {
  if (item === undefined || !/^[kv]:/.test(member)) return false;
  const named = parseOrUndefined(member.slice(2));
  if (named === undefined) return false;
  if (member.startsWith('v:')) return canonicalJson(named) === canonicalJson(item);
  return isObject(named) && isObject(item) && Object.keys(named).every((key) => canonicalJson(named[key] ?? null) === canonicalJson(item[key] ?? null));
}

function readOwner({ manager, operation, subresource, time }: JsonObject): FieldOwner | undefined {
  if (typeof manager !== 'string' || typeof operation !== 'string') return undefined;
  return {
    manager,
    operation,
    ...(typeof subresource === 'string' && subresource !== '' ? { subresource } : {}),
    ...(typeof time === 'string' ? { time } : {}),
  };
}

function parseOrUndefined(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

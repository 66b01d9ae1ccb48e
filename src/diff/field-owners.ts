import {
  canonicalJson,
  isList,
  isObject,
  parseJsonOrUndefined,
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

function ownersWhere(live: KubeObject, isOwner: (fields: JsonObject) => boolean): readonly FieldOwner[] {
  return managedEntries(live).flatMap(({ owner, fields }) => (isOwner(fields) ? [owner] : []));
}

/** The readable part of what the server recorded; anything else names nobody. */
export function managedEntries({ metadata }: KubeObject): readonly { readonly owner: FieldOwner; readonly fields: JsonObject }[] {
  const entries = metadata['managedFields'];
  if (!isList(entries)) return [];
  return entries.filter(isObject).flatMap((entry) => {
    const owner = readOwner(entry);
    const fields = entry['fieldsV1'];
    return owner === undefined || !isObject(fields) ? [] : [{ owner, fields }];
  });
}

function owns(fields: Json | undefined, live: Json | undefined, path: readonly string[]): boolean {
  if (!isObject(fields)) return false;
  const [key, ...rest] = path;
  // A leaf stands for everything below it: a list or map that is replaced whole.
  if (key === undefined || Object.keys(fields).length === 0) return true;
  if (isList(live)) {
    const item = live[Number(key)];
    const member = item === undefined ? undefined : Object.keys(fields).find((name) => memberItem(name, item) === 'same');
    return member !== undefined && owns(fields[member], item, rest);
  }
  const child = isObject(live) && Object.hasOwn(live, key) ? live[key] : undefined;
  return Object.hasOwn(fields, `f:${key}`) && owns(fields[`f:${key}`], child, rest);
}

/**
 * Whether an item is the one that a member of a list names: by its keys (`k:{"name":"app"}`) or by its value (`v:"x"`).
 * `perhaps`: it has no other key, and leaves some to their defaults.
 */
export function memberItem(member: string, item: Json): 'same' | 'perhaps' | 'other' {
  const named = /^[kv]:/.test(member) ? parseJsonOrUndefined(member.slice(2)) : undefined;
  if (named === undefined) return 'other';
  if (member.startsWith('v:')) return canonicalJson(named) === canonicalJson(item) ? 'same' : 'other';
  if (!isObject(named) || !isObject(item)) return 'other';
  const keys = Object.keys(named);
  const given = keys.filter((key) => Object.hasOwn(item, key));
  if (given.length === 0 || given.some((key) => canonicalJson(named[key] ?? null) !== canonicalJson(item[key] ?? null))) return 'other';
  return given.length === keys.length ? 'same' : 'perhaps';
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

import { canonicalJson, fieldManager, isObject, parseJsonOrUndefined, type FieldOwner, type Json, type JsonObject, type KubeObject } from '../model/index.ts';
import { managedEntries } from './field-owners.ts';

/** A manager who holds something at a place of an object, and what of it: some fields below, or the whole. */
export interface Holder {
  readonly owner: FieldOwner;
  readonly fields: JsonObject | 'whole';
}

export function holdersOf(live: KubeObject): readonly Holder[] {
  // One that lists nothing holds nothing.
  return managedEntries(live).filter(({ fields }) => Object.keys(fields).length > 0);
}

export function isOurs({ owner }: Holder): boolean {
  return owner.manager === fieldManager && owner.operation === 'Apply' && owner.subresource === undefined;
}

/** Those who hold something at a key of a map or a field of a type. */
export function holdersBelow(holders: readonly Holder[], key: string): readonly Holder[] {
  return holders.flatMap(({ owner, fields }) => holder(owner, fields === 'whole' ? fields : fields[`f:${key}`]));
}

/** Those who hold something in each item of a list, by the item's index. Linear, however long the list is. */
export function holdersOfItems(holders: readonly Holder[], items: readonly Json[]): (at: number) => readonly Holder[] {
  const find = findMembers(items);
  const lookups = holders.map(({ owner, fields }) => {
    if (fields === 'whole') return () => [{ owner, fields }];
    const byIndex = new Map(Object.keys(fields).map((member) => [find(member), fields[member]]));
    return (at: number) => holder(owner, byIndex.get(at));
  });
  return (at) => lookups.flatMap((lookUp) => lookUp(at));
}

/** Which item a member of a list names, by its keys (`k:{"name":"app"}`) or by its value (`v:"x"`). */
export function findMembers(items: readonly Json[]): (member: string) => number | undefined {
  const indexes = new Map<string, ReadonlyMap<string, number>>();
  const indexBy = (signature: string, identify: (item: Json) => Json | undefined): ReadonlyMap<string, number> => {
    const known = indexes.get(signature);
    if (known !== undefined) return known;
    const index = new Map<string, number>();
    for (const [at, item] of items.entries()) {
      const identity = identify(item);
      if (identity !== undefined) index.set(canonicalJson(identity), at);
    }
    indexes.set(signature, index);
    return index;
  };
  return (member) => {
    const named = /^[kv]:/.test(member) ? parseJsonOrUndefined(member.slice(2)) : undefined;
    if (named === undefined) return undefined;
    if (member.startsWith('v:')) return indexBy('v', (item) => item).get(canonicalJson(named));
    if (!isObject(named)) return undefined;
    const keys = Object.keys(named);
    return indexBy(`k${keys.toSorted().join()}`, (item) => pick(item, keys)).get(canonicalJson(named));
  };
}

/** The item that a member may name, among those that leave some of its keys to their defaults: none of the keys given is another. */
export function findPartialMembers(items: readonly Json[]): (member: string) => Json | undefined {
  const partial = new Map<string, readonly JsonObject[]>();
  return (member) => {
    const named = member.startsWith('k:') ? parseJsonOrUndefined(member.slice(2)) : undefined;
    if (!isObject(named)) return undefined;
    const keys = Object.keys(named).toSorted();
    const signature = keys.join();
    const candidates = partial.get(signature) ?? items.filter(isObject).filter((item) => pick(item, keys) === undefined);
    partial.set(signature, candidates);
    const given = (item: JsonObject): readonly string[] => keys.filter((key) => Object.hasOwn(item, key));
    return candidates.find((item) => given(item).length > 0 && given(item).every((key) => canonicalJson(item[key] ?? null) === canonicalJson(named[key] ?? null)));
  };
}

function pick(item: Json, keys: readonly string[]): JsonObject | undefined {
  if (!isObject(item)) return undefined;
  const values = keys.map((key) => [key, Object.hasOwn(item, key) ? item[key] : undefined] as const);
  return values.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(values) as JsonObject);
}

/** A leaf stands for everything below it: a scalar, or a list or map that is replaced whole. */
function holder(owner: FieldOwner, fields: Json | undefined): readonly Holder[] {
  if (fields === 'whole') return [{ owner, fields }];
  return isObject(fields) ? [{ owner, fields: Object.keys(fields).length === 0 ? 'whole' : fields }] : [];
}

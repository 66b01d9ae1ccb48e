import { isObject, parseJsonOrUndefined, type Json, type JsonObject } from '../../model/index.ts';
import type { Place } from './place.ts';
import { valueKey, valuesKey } from './value-key.ts';

/**
 * What a manager owns, as FieldsV1 records it: a node without members is a leaf, ignored whole. Only what live has is owned:
 * of what is gone there is no owner.
 */
export function fieldsPlace(fields: Json | undefined): Place | undefined {
  if (!isObject(fields)) return undefined;
  let items: ItemIndex | undefined;
  const below = (member: string): Place | undefined => (Object.hasOwn(fields, member) ? fieldsPlace(fields[member]) : undefined);
  return {
    ignored: Object.keys(fields).length === 0,
    entry: (key, { live }) => (live === undefined ? undefined : below(`f:${key}`)),
    item: ({ live }) => {
      if (live === undefined) return undefined;
      items ??= indexItems(fields);
      return fieldsPlace(memberOf(live, items));
    },
    // Servers record no indexes.
    at: () => undefined,
    itemFields: [],
  };
}

/** The record of everything but the object's identity, which is never ignored; undefined where it holds nothing else. */
export function withoutIdentity(fields: JsonObject): JsonObject | undefined {
  const { 'f:apiVersion': _version, 'f:kind': _kind, 'f:metadata': metadata, ...others } = fields;
  const { 'f:name': _name, 'f:namespace': _namespace, ...kept } = isObject(metadata) ? metadata : {};
  const rest = Object.keys(kept).length === 0 ? others : { ...others, 'f:metadata': kept };
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** Members of a list: by their keys, grouped by what the keys are called, and by their values. */
interface ItemIndex {
  readonly byKeys: readonly { readonly names: readonly string[]; readonly members: ReadonlyMap<string, Json> }[];
  readonly byValue: ReadonlyMap<string, Json>;
}

function indexItems(fields: JsonObject): ItemIndex {
  const groups = new Map<string, { names: readonly string[]; members: Map<string, Json> }>();
  const byValue = new Map<string, Json>();
  for (const [member, below] of Object.entries<Json>(fields)) {
    const named = /^[kv]:/.test(member) ? parseJsonOrUndefined(member.slice(2)) : undefined;
    if (named === undefined) continue;
    if (member.startsWith('v:')) byValue.set(valueKey(named), below);
    else if (isObject(named) && Object.keys(named).length > 0) {
      const names = Object.keys(named).toSorted();
      const group = groups.get(JSON.stringify(names)) ?? { names, members: new Map<string, Json>() };
      groups.set(JSON.stringify(names), group);
      group.members.set(keyIn(named, names), below);
    }
  }
  return { byKeys: [...groups.values()], byValue };
}

function memberOf(item: Json, { byKeys, byValue }: ItemIndex): Json | undefined {
  const value = byValue.size === 0 ? undefined : byValue.get(valueKey(item));
  if (value !== undefined || !isObject(item)) return value;
  const group = byKeys.find(({ names, members }) => names.every((name) => Object.hasOwn(item, name)) && members.has(keyIn(item, names)));
  return group?.members.get(keyIn(item, group.names));
}

function keyIn(item: JsonObject, names: readonly string[]): string {
  return valuesKey(names.map((name) => item[name] ?? null));
}

import {
  isByHand,
  isList,
  isObject,
  writesWholeObjects,
  type ForeignField,
  type Json,
  type JsonObject,
  type KubeObject,
} from '../model/index.ts';
import { displayPath } from './display-path.ts';
import { managedEntries, memberItem } from './field-owners.ts';
import { pointerOf, valueAtKeys } from './json-pointer.ts';

interface Place {
  readonly keys: readonly string[];
  readonly desired: Json | undefined;
  readonly live: Json | undefined;
}

/** What people added by hand: fields that they own, that live has, and that Git does not mention. */
export function foreignFields(desired: KubeObject, live: KubeObject, shown: KubeObject): readonly ForeignField[] {
  const found = new Map<string, ForeignField>();
  for (const { owner, fields } of managedEntries(live)) {
    if (owner.operation !== 'Update' || owner.subresource === 'status' || !isByHand(owner.manager) || writesWholeObjects(owner.manager)) continue;
    for (const keys of unmentioned(fields, { keys: [], desired, live })) {
      const value = valueAtKeys(shown, keys);
      // What is not shown (status, bookkeeping of the server and of kubectl) is not compared either.
      if (value === undefined) continue;
      const path = pointerOf(keys);
      const owners = [...(found.get(path)?.owners ?? []), owner];
      found.set(path, { path, display: displayPath(shown, keys), live: value, owners });
    }
  }
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The topmost owned places that desired has nothing for. */
function unmentioned(fields: JsonObject, { keys, desired, live }: Place): readonly (readonly string[])[] {
  return Object.entries<Json>(fields).flatMap(([member, below]) => {
    if (member === '.' || !isObject(below)) return [];
    const place = step(member, { keys, desired, live });
    if (place?.live === undefined) return [];
    const isMember = Object.keys(below).length === 0 || Object.hasOwn(below, '.');
    if (place.desired === undefined && isMember) return [place.keys];
    return unmentioned(below, place);
  });
}

function step(member: string, { keys, desired, live }: Place): Place | undefined {
  if (member.startsWith('f:')) {
    const key = member.slice(2);
    return { keys: [...keys, key], desired: child(desired, key), live: child(live, key) };
  }
  if (!isList(live)) return undefined;
  const at = live.findIndex((item) => memberItem(member, item) === 'same');
  if (at === -1) return undefined;
  // Keys that desired leaves to their defaults do not tell items apart.
  const wanted = isList(desired) ? desired.find((item) => memberItem(member, item) !== 'other') : undefined;
  return { keys: [...keys, String(at)], desired: wanted, live: live[at] };
}

function child(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

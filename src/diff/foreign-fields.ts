import {
  childOf,
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
import { managedEntries } from './field-owners.ts';
import { findMembers, findPartialMembers } from './holders.ts';
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
      if (value === undefined || isOnlyBookkeeping(value, valueAtKeys(live, keys))) continue;
      const path = pointerOf(keys);
      const owners = [...(found.get(path)?.owners ?? []), owner];
      found.set(path, { path, display: displayPath(shown, keys), live: value, owners });
    }
  }
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** A map of which nothing is left to show, though live has something in it. */
function isOnlyBookkeeping(shown: Json, live: Json | undefined): boolean {
  return isObject(shown) && Object.keys(shown).length === 0 && isObject(live) && Object.keys(live).length > 0;
}

/** The topmost owned places that desired has nothing for. */
function unmentioned(fields: JsonObject, place: Place): readonly (readonly string[])[] {
  const step = isList(place.live) ? stepToItem(place, place.live) : stepToField(place);
  return Object.entries<Json>(fields).flatMap(([member, below]) => {
    if (member === '.' || !isObject(below)) return [];
    const next = step(member);
    if (next?.live === undefined) return [];
    const isMember = Object.keys(below).length === 0 || Object.hasOwn(below, '.');
    if (next.desired === undefined && isMember) return [next.keys];
    return unmentioned(below, next);
  });
}

type Step = (member: string) => Place | undefined;

function stepToField({ keys, desired, live }: Place): Step {
  return (member) => {
    const key = member.slice(2);
    return member.startsWith('f:') ? { keys: [...keys, key], desired: childOf(desired, key), live: childOf(live, key) } : undefined;
  };
}

function stepToItem({ keys, desired }: Place, items: readonly Json[]): Step {
  const wanted = isList(desired) ? desired : [];
  const [findLive, findWanted, findPartly] = [findMembers(items), findMembers(wanted), findPartialMembers(wanted)];
  return (member) => {
    const at = findLive(member);
    if (at === undefined) return undefined;
    const exact = findWanted(member);
    return { keys: [...keys, String(at)], desired: exact === undefined ? findPartly(member) : wanted[exact], live: items[at] };
  };
}

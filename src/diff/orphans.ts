import { canonicalJson, childOf, entriesOf, isList, isObject, parseJsonOrUndefined, sameValue, type Json, type JsonObject, type KubeObject, type Patch, type Schema } from '../model/index.ts';
import { comparable, lastApplied } from './comparable.ts';
import { displayPath } from './display-path.ts';
import { fieldSetOf } from './field-set.ts';
import { holdersBelow, holdersOf, holdersOfItems, isOurs, type Holder } from './holders.ts';
import { guarded } from './json-patch.ts';
import { comparePointers, keysOf, pointerOf, valueAtKeys } from './json-pointer.ts';
import { isNobodys } from './leftovers.ts';
import { listKeys } from './list-keys.ts';
import { isSecret } from './mask.ts';
import { fieldOf } from './walk.ts';

interface Search {
  readonly desired: KubeObject;
  readonly live: KubeObject;
  /** What Git had when it was last agreed on, as a set of fields. */
  readonly recorded: JsonObject | undefined;
  readonly schema: Schema;
}

/**
 * Pointers to what Git once had and has no more, that is live all the same, and that an apply would not take away because it
 * is not recorded as ours: written by client-side apply, or with the record wiped. What a controller or another deploy tool
 * holds by now was handed over and is theirs. Whether it would go for good (and not be filled in again) only the server knows.
 */
export function orphanCandidates({ desired, live, recorded, schema }: Search): readonly string[] {
  const sets = [recorded, seed(live, schema)].filter((set) => set !== undefined);
  if (sets.length === 0) return [];
  const found = new Set(sets.flatMap((fields) => [...orphansBelow({ fields, desired, live, holders: holdersOf(live), schema, keys: [] })]));
  // Of a place and what is below it, the place is enough.
  return [...found].filter((pointer) => !ancestorsOf(pointer).some((ancestor) => found.has(ancestor)));
}

/**
 * Pointers to what client-side apply wrote and Git has no more, where we have never applied the object: the first apply takes over what
 * that wrote, so all of it goes. Topmost places, with what the server filled in below them.
 */
export function droppedFields({ desired, live, schema }: Omit<Search, 'recorded'>): readonly string[] {
  const fields = seed(live, schema);
  const holders = holdersOf(live);
  return fields === undefined || holders.some(isOurs) ? [] : [...orphansBelow({ fields, desired, live, holders, schema, keys: [], takesMaps: true })];
}

/** kubectl's own record of what was applied: all there is to go by before we have one. */
function seed(live: KubeObject, schema: Schema): JsonObject | undefined {
  const { annotations } = live.metadata;
  const text = isObject(annotations) ? annotations[lastApplied] : undefined;
  const applied = typeof text === 'string' ? parseJsonOrUndefined(text) : undefined;
  if (!isObject(applied) || applied['apiVersion'] !== live.apiVersion || !isObject(applied['metadata'])) return undefined;
  return fieldSetOf(comparable(withStringData(applied as KubeObject), { hasStatus: true }), schema);
}

/** A Secret has what it was given as text under the other name. */
function withStringData(applied: KubeObject): KubeObject {
  const { stringData, ...rest } = applied;
  if (!isSecret(applied) || !isObject(stringData)) return applied;
  return { ...rest, data: Object.fromEntries([...entriesOf(rest['data']), ...entriesOf(stringData)]) };
}

interface Place {
  readonly fields: JsonObject;
  readonly desired: Json | undefined;
  readonly live: Json;
  readonly holders: readonly Holder[];
  readonly schema: Schema;
  readonly keys: readonly string[];
  /** Whether a map goes with all that is in it. */
  readonly takesMaps?: boolean;
}

function* orphansBelow(place: Place): Generator<string> {
  const follow = isList(place.live) ? followItems(place, place.live) : followField(place);
  for (const [member, below] of Object.entries<Json>(place.fields)) {
    if (member === '.' || !isObject(below)) continue;
    const next = follow(member, below);
    if (next === undefined) continue;
    const goes = next.desired === undefined && next.holders.every(isNobodys) && (place.takesMaps === true ? next.holders.length > 0 : isOnePiece(member, next));
    if (goes) yield pointerOf(next.keys);
    else yield* orphansBelow(place.takesMaps === true ? { ...next, takesMaps: true } : next);
  }
}

/** An item of a list, or a value that is written whole. A map is not: others may have put keys of their own into it. */
function isOnePiece(member: string, { fields, live, schema }: Place): boolean {
  if (!member.startsWith('f:')) return true;
  if (Object.keys(fields).length > 0) return false;
  const isEmpty = (isList(live) && live.length === 0) || (isObject(live) && Object.keys(live).length === 0);
  const isAtomic = schema.type === 'list' ? schema.relation === 'atomic' : (schema.type === 'struct' || schema.type === 'map') && schema.atomic;
  // The record of a map or list that was empty then looks like that of a whole: what is in it now came later.
  return typeof live !== 'object' || isEmpty || isAtomic;
}

/** Undefined where live has nothing there, or where it cannot be told what Git has there. */
type Follow = (member: string, fields: JsonObject) => Place | undefined;

function followField({ live, desired, holders, schema, keys }: Place): Follow {
  return (member, fields) => {
    const key = member.slice(2);
    const value = member.startsWith('f:') ? childOf(live, key) : undefined;
    if (value === undefined) return undefined;
    const below = fieldOf(schema, key)?.schema ?? { type: 'any' };
    return { fields, desired: childOf(desired, key), live: value, holders: holdersBelow(holders, key), schema: below, keys: [...keys, key] };
  };
}

function followItems({ desired, holders, schema, keys }: Place, items: readonly Json[]): Follow {
  if (schema.type !== 'list' || schema.relation === 'atomic') return () => undefined;
  const { relation, element } = schema;
  const list = { relation, keys: schema.keys, element };
  const [actual, wanted] = [listKeys(items, list), listKeys(isList(desired) ? desired : [], list)];
  const holdersAt = holdersOfItems(holders, items);
  return (member, fields) => {
    const named = parseJsonOrUndefined(member.slice(2));
    const item = named === undefined ? undefined : actual?.get(canonicalJson(named));
    if (item === undefined || named === undefined || wanted === undefined) return undefined;
    const below = wanted.get(canonicalJson(named))?.value;
    return { fields, desired: below, live: item.value, holders: holdersAt(item.at), schema: element.schema, keys: [...keys, String(item.at)] };
  };
}

function ancestorsOf(pointer: string): readonly string[] {
  const parts = pointer.split('/');
  return parts.slice(1, -1).map((_part, at) => parts.slice(0, at + 2).join('/'));
}

interface Confirmation {
  readonly live: KubeObject;
  readonly candidates: readonly string[];
  /** The same search in another object. */
  readonly find: (object: KubeObject) => readonly string[];
  /** What the server would make of the live object without them. */
  readonly without: KubeObject;
  readonly predicted: KubeObject;
}

/** Those that would really go, as pointers into the prediction: a field that the server fills in again as it was is none. */
export function confirmedLeftovers({ live, candidates, find, without, predicted }: Confirmation): readonly string[] {
  const named = (object: KubeObject, pointers: readonly string[]): ReadonlyMap<string, string> =>
    new Map(pointers.map((pointer) => [displayPath(object, keysOf(pointer)), pointer]));
  const left = named(without, find(without));
  const isBack = (display: string, pointer: string): boolean => {
    const again = left.get(display);
    return again !== undefined && sameValue(valueAtKeys(without, keysOf(again)), valueAtKeys(live, keysOf(pointer)));
  };
  const gone = new Set([...named(live, candidates)].filter(([display, pointer]) => !isBack(display, pointer)).map(([display]) => display));
  const inPrediction = predicted === live ? candidates : find(predicted);
  return inPrediction.filter((pointer) => gone.has(displayPath(predicted, keysOf(pointer))));
}

/** The patch that removes them, one by one, from an object that still has them. */
export function removalOf(candidates: readonly string[], live: KubeObject): Patch {
  const operations = candidates.toSorted((a, b) => comparePointers(b, a)).map((path) => ({ op: 'remove', path }) as const);
  return guarded(operations, live);
}

/** Whether the server may fill in a place again: a field of a type may have a default, a key of a map and an item of a list have none. */
export function mayComeBack(pointer: string, schema: Schema | undefined): boolean {
  let at: Schema = schema ?? { type: 'any' };
  const keys = keysOf(pointer);
  for (const key of keys.slice(0, -1)) at = at.type === 'list' ? at.element.schema : (fieldOf(at, key)?.schema ?? { type: 'any' });
  return at.type !== 'map' && at.type !== 'list';
}

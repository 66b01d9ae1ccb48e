// Why the local walk does not say `equal`: the places that it stops at. Asks the walk itself, part by part.
import { listKeys } from '../../src/diff/list-keys.ts';
import { fieldOf, walk } from '../../src/diff/walk.ts';
import { isList, isObject, stringifyJson, type Json, type JsonObject, type KubeObject, type Schema } from '../../src/model/index.ts';

export interface Reason {
  /** Without positions and keys of list items, so that the same reason reads the same everywhere. */
  readonly path: string;
  readonly why: string;
}

interface Place {
  readonly desired: Json;
  readonly live: Json | undefined;
  readonly schema: Schema;
  readonly whole: boolean;
  readonly path: string;
}

export function explain(desired: KubeObject, live: KubeObject, schema: Schema | undefined): readonly Reason[] {
  if (schema === undefined) return [{ path: '', why: 'there is no schema' }];
  const { apiVersion: _version, kind: _kind, ...wanted } = desired;
  const reasons = descend({ desired: wanted, live, schema, whole: false, path: '' });
  return reasons.length > 0 ? reasons : [{ path: 'metadata.managedFields', why: 'something that we own is not in Git, or what we own cannot be told' }];
}

function descend(place: Place): readonly Reason[] {
  const { desired, live, schema, whole, path } = place;
  if (answerAt(place) === 'equal') return [];
  const below = [...childrenOf(place)].flatMap(descend);
  const replaced = whole || ((schema.type === 'struct' || schema.type === 'map') && schema.atomic);
  const extra = replaced && isObject(desired) && isObject(live) ? Object.keys(live).filter((key) => isReason(key, { ...place, desired, live })) : [];
  const reasons = [...below, ...extra.map((key) => ({ path: `${path}.${key}`, why: `in a value that is replaced whole, only live has ${textOf(isObject(live) ? live[key] : undefined)}` }))];
  return reasons.length > 0 ? reasons : [{ path, why: `Git has ${textOf(desired)}, live has ${textOf(live)}` }];
}

function answerAt({ desired, live, schema, whole }: Place): ReturnType<typeof walk> {
  return walk(desired, live, { schema, whole });
}

function* childrenOf({ desired, live, schema, whole, path }: Place): Generator<Place> {
  if (isObject(desired) && isObject(live)) {
    const atomic = (schema.type === 'struct' || schema.type === 'map') && schema.atomic;
    for (const [key, value] of Object.entries<Json>(desired)) {
      const field = fieldOf(schema, key);
      if (field !== undefined) yield { desired: value, live: live[key], schema: field.schema, whole: whole || atomic, path: path === '' ? key : `${path}.${key}` };
    }
  } else if (isList(desired) && isList(live)) {
    yield* itemsOf({ desired, live, schema, whole, path });
  }
}

interface ListPlace extends Place {
  readonly desired: readonly Json[];
  readonly live: readonly Json[];
}

function* itemsOf({ desired, live, schema, whole, path }: ListPlace): Generator<Place> {
  const element = schema.type === 'list' ? schema.element.schema : ({ type: 'any' } as const);
  if (whole || schema.type !== 'list' || schema.relation === 'atomic') {
    if (desired.length !== live.length) return;
    for (const [at, item] of desired.entries()) yield { desired: item, live: live[at], schema: element, whole: true, path: `${path}[]` };
    return;
  }
  const { relation, keys } = schema;
  const list = { relation, keys, element: schema.element };
  const [wanted, actual] = [listKeys(desired, list), listKeys(live, list)];
  if (wanted === undefined || actual === undefined) return;
  for (const [key, item] of wanted) yield { desired: item.value, live: actual.get(key)?.value, schema: element, whole: false, path: `${path}[]` };
}

/** Whether a key that only live has is what the walk minds: it does so even where all else is equal. */
function isReason(key: string, place: Place & { readonly desired: JsonObject; readonly live: JsonObject }): boolean {
  const { desired, live } = place;
  if (Object.hasOwn(desired, key)) return false;
  const equal = Object.keys(desired).filter((name) => answerAt({ ...place, desired: { [name]: desired[name] ?? null }, live: live[name] === undefined ? {} : { [name]: live[name] } }) === 'equal');
  if (equal.length === 0) return true;
  const part = (object: JsonObject, names: readonly string[]): JsonObject => Object.fromEntries(names.map((name) => [name, object[name] ?? null]));
  return answerAt({ ...place, desired: part(desired, equal), live: part(live, [...equal, key]) }) !== 'equal';
}

const longest = 60;

function textOf(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : stringifyJson(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

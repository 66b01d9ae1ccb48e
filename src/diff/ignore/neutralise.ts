import { childOf, isList, isObject, type Json, type JsonObject, type KubeObject, type Schema } from '../../model/index.ts';
import { settleList, type ListWalk } from './neutralise-list.ts';
import { rootPlace, type ObjectIgnores } from './object-ignores.ts';
import type { Place, Sides } from './place.ts';
import { fillsEverywhere, fillsNowhere, fillsWhatWouldGo, type Position } from './position.ts';
import { asLive } from './value-key.ts';

interface Options {
  readonly ignores: ObjectIgnores;
  /** Whether what only live has is put in: wanted in a prediction, while what Git does not mention stays unmentioned. */
  readonly fillIn: boolean;
  /** Of the kind. Where it is given, what an apply would otherwise take away is put in all the same. */
  readonly schema?: Schema;
}

/**
 * The object in which every ignored place is as live has it: the same value, or nothing where live has nothing. `live` is as the
 * server showed it, with its managed fields. What no rule is about is the very same value as before.
 */
export function neutralise(object: KubeObject, live: KubeObject, { ignores, fillIn, schema }: Options): KubeObject {
  return neutraliseAt({ object, live, ignores }, fillIn ? fillsEverywhere : schema === undefined ? fillsNowhere : fillsWhatWouldGo(live, schema));
}

interface Neutralised {
  readonly object: KubeObject;
  readonly live: KubeObject;
  readonly ignores: ObjectIgnores;
}

export function neutraliseAt({ object, live, ignores }: Neutralised, position: Position): KubeObject {
  const root = rootPlace(ignores, object, live);
  // Neither the root nor what makes a KubeObject is ever ignored.
  return root === undefined ? object : (settleMap({ object, live }, root, position) as KubeObject);
}

function settle({ object, live }: Sides, place: Place, above: Position): Json | undefined {
  const position = above.at({ object, live });
  if (place.ignored || position.isKeptWhole) return object === undefined && !position.fillsIn ? undefined : asLive(object, live);
  if (isList(object)) return settleList({ object, live: isList(live) ? live : [] }, place, listWalk(position, live));
  if (isObject(object)) return settleMap({ object, live: isObject(live) ? live : {} }, place, position);
  if (!position.mayFillIn || (object !== undefined && object !== null)) return object;
  const filled = isList(live) ? settleList({ object: [], live }, place, listWalk(position, live)) : isObject(live) ? settleMap({ object: {}, live }, place, position) : [];
  return isEmpty(filled) ? object : filled;
}

function listWalk(position: Position, live: Json | undefined): ListWalk {
  const items = position.items(isList(live) ? live : []);
  return { fillsIn: (index) => items(index).fillsIn, settle: (sides, place, index) => settle(sides, place, items(index)) };
}

interface Maps {
  readonly object: JsonObject;
  readonly live: JsonObject;
}

function settleMap({ object, live }: Maps, place: Place, position: Position): JsonObject {
  const changed = new Map<string, Json | undefined>();
  for (const key of new Set([...Object.keys(object), ...(position.mayFillIn ? Object.keys(live) : [])])) {
    const sides = { object: childOf(object, key), live: childOf(live, key) };
    const at = place.entry(key, sides);
    if (at === undefined) continue;
    const settled = withoutEmptied(settle(sides, at, position.entry(key)), sides);
    if (settled !== sides.object) changed.set(key, settled);
  }
  if (changed.size === 0) return object;
  const entries = [...new Map<string, Json | undefined>([...Object.entries<Json>(object), ...changed])];
  // fromEntries, not assignment: a key named __proto__ is data.
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** What held nothing but ignored places is not left behind empty where live has nothing. */
function withoutEmptied(settled: Json | undefined, { object, live }: Sides): Json | undefined {
  return settled !== object && isEmpty(settled) && (live === undefined || live === null) ? live : settled;
}

function isEmpty(value: Json | undefined): boolean {
  return isList(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

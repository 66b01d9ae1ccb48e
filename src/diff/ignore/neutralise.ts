import { childOf, isList, isObject, type Json, type JsonObject, type KubeObject } from '../../model/index.ts';
import { settleList, type Walk } from './neutralise-list.ts';
import { rootPlace, type ObjectIgnores } from './object-ignores.ts';
import type { Place, Sides } from './place.ts';
import { asLive } from './value-key.ts';

interface Options {
  readonly ignores: ObjectIgnores;
  /** Whether what only live has is put in: wanted in a prediction, while what Git does not mention stays unmentioned. */
  readonly fillIn: boolean;
}

/**
 * The object in which every ignored place is as live has it: the same value, or nothing where live has nothing. `live` is as the
 * server showed it, with its managed fields. What no rule is about is the very same value as before.
 */
export function neutralise(object: KubeObject, live: KubeObject, { ignores, fillIn }: Options): KubeObject {
  const root = rootPlace(ignores, object, live);
  if (root === undefined) return object;
  const walk: Walk = { fillIn, settle: (sides, place) => settle(sides, place, walk) };
  // Neither the root nor what makes a KubeObject is ever ignored.
  return settleMap({ object, live }, root, walk) as KubeObject;
}

function settle({ object, live }: Sides, place: Place, walk: Walk): Json | undefined {
  if (place.ignored) return object === undefined && !walk.fillIn ? undefined : asLive(object, live);
  if (isList(object)) return settleList({ object, live: isList(live) ? live : [] }, place, walk);
  if (isObject(object)) return settleMap({ object, live: isObject(live) ? live : {} }, place, walk);
  if (!walk.fillIn || (object !== undefined && object !== null)) return object;
  const filled = isList(live) ? settleList({ object: [], live }, place, walk) : isObject(live) ? settleMap({ object: {}, live }, place, walk) : [];
  return isEmpty(filled) ? object : filled;
}

interface Maps {
  readonly object: JsonObject;
  readonly live: JsonObject;
}

function settleMap({ object, live }: Maps, place: Place, walk: Walk): JsonObject {
  const changed = new Map<string, Json | undefined>();
  for (const key of new Set([...Object.keys(object), ...(walk.fillIn ? Object.keys(live) : [])])) {
    const sides = { object: childOf(object, key), live: childOf(live, key) };
    const at = place.entry(key, sides);
    if (at === undefined) continue;
    const settled = withoutEmptied(settle(sides, at, walk), sides);
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

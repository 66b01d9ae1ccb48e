import type { Json } from '../../model/index.ts';
import { areApart, pairItems, type Lists } from './pair-items.ts';
import type { Place, Sides } from './place.ts';
import { asLive } from './value-key.ts';

export interface ListWalk {
  /** Whether an item that only live has, at this index of it, is put in. */
  fillsIn(index: number): boolean;
  /** What stands at a place afterwards. The index is that in live, where live has the item. */
  settle(sides: Sides, place: Place, index: number | undefined): Json | undefined;
}

/** The list with its ignored parts as live has them; the very same list where that changes nothing. */
export function settleList({ object, live }: Lists, place: Place, walk: ListWalk): readonly Json[] {
  const byItem = settleItems({ object, live }, place, walk);
  const settled = settleIndexes({ object: byItem, live }, place, walk);
  return settled.length === object.length && settled.every((item, at) => item === object[at]) ? object : settled;
}

function settleItems(lists: Lists, place: Place, { fillsIn, settle }: ListWalk): readonly Json[] {
  const { object, live } = pairItems(lists, place);
  const partners = new Map(live.map(({ key, item }, index) => [key, { item, index }]));
  const kept = new Map<string, Json>();
  const ignored = new Map<string, Json>();
  for (const { key, item } of object) {
    const partner = partners.get(key);
    const sides = { object: item, live: partner?.item };
    const at = place.item(sides);
    if (at?.ignored) ignored.set(key, item);
    else kept.set(key, at === undefined ? item : (settle(sides, at, partner?.index) ?? item));
  }
  // Ignored items stand where live has them: each after the one that it follows there, of those that are kept.
  const following = new Map<string | undefined, Json[]>();
  let previous: string | undefined;
  for (const [index, { key, item }] of live.entries()) {
    if (kept.has(key)) previous = key;
    else if (ignored.has(key) || (fillsIn(index) && place.item({ object: undefined, live: item })?.ignored)) {
      const others = following.get(previous) ?? [];
      following.set(previous, others);
      others.push(asLive(ignored.get(key), item));
    }
  }
  const after = (key: string | undefined): readonly Json[] => following.get(key) ?? [];
  return [...after(undefined), ...[...kept].flatMap(([key, item]) => [item, ...after(key)])];
}

function settleIndexes({ object, live }: Lists, place: Place, { settle }: ListWalk): readonly Json[] {
  let apart: ((index: number) => boolean) | undefined;
  const isApart = (index: number): boolean => (apart ??= areApart({ object, live }))(index);
  return Array.from({ length: Math.max(object.length, live.length) }, (_, index) => {
    const sides = { object: object[index], live: live[index] };
    const at = place.at(index);
    // An item that only live has is put in whole or not at all; one that stands elsewhere in live has nothing of what is live here.
    return at === undefined || (sides.object === undefined && !at.ignored) || isApart(index) ? sides.object : settle(sides, at, index);
  }).filter((item) => item !== undefined);
}

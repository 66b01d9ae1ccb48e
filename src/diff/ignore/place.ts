import type { Json } from '../../model/index.ts';

/** The same place in the object that is compared and in live; undefined where that one has nothing there. */
export interface Sides {
  readonly object: Json | undefined;
  readonly live: Json | undefined;
}

/** Whatever they are: asks what a path may lead to. */
export const anySides: Sides = { object: undefined, live: undefined };

/** A place that is ignored or has ignored places below it. What is none of both is no Place, and not walked through. */
export interface Place {
  readonly ignored: boolean;
  entry(key: string, sides: Sides): Place | undefined;
  /** By what the item is, wherever it stands in its list. */
  item(sides: Sides): Place | undefined;
  at(index: number): Place | undefined;
  /** The fields by which items are chosen here, where that is how they are chosen. */
  readonly itemFields: readonly (readonly string[])[];
}

/** Ignored with everything below it. */
export const whollyIgnored: Place = { ignored: true, entry: () => undefined, item: () => undefined, at: () => undefined, itemFields: [] };

export function combine(places: readonly (Place | undefined)[]): Place | undefined {
  const all = places.filter((place) => place !== undefined);
  if (all.length <= 1) return all[0];
  return {
    ignored: all.some(({ ignored }) => ignored),
    entry: (key, sides) => combine(all.map((place) => place.entry(key, sides))),
    item: (sides) => combine(all.map((place) => place.item(sides))),
    at: (index) => combine(all.map((place) => place.at(index))),
    itemFields: all.flatMap(({ itemFields }) => itemFields),
  };
}

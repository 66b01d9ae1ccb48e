import type { ResourceKey } from '../../model/index.ts';
import type { Collection, Tracked } from './collection.ts';
import type { Observer } from './place-view.ts';
import { keyIn } from './place.ts';
import { noVersion, resourceVersionOf } from './resource-version.ts';
import type { Sight } from './sight.ts';

interface ObserveOptions {
  readonly objects: ReadonlyMap<ResourceKey, Tracked>;
  /** There is a new sight of an object. */
  readonly take: (tracked: Tracked, sight: Sight) => void;
  /** A complete list had this sight of an object. */
  readonly find: (tracked: Tracked, sight: Sight) => void;
  /** A list begins; returns its number. */
  readonly listing: () => number;
  readonly listed: (collection: Collection) => void;
}

/** Takes in what is seen in a place: of the objects that matter, and of no others. */
export function observePlace(collection: Collection, { objects, take, find, listing, listed }: ObserveOptions): Observer {
  const { place, members, bystanders } = collection;
  return {
    listing({ resourceVersion, notBefore, wentBack }) {
      const number = listing();
      bystanders.listing();
      const present = new Set<Tracked>();
      if (wentBack) for (const tracked of members) tracked.sight = { ...tracked.sight, version: noVersion };
      return {
        item(object) {
          const key = keyIn(place, object);
          const tracked = objects.get(key);
          if (tracked === undefined) {
            bystanders.add(key);
            return;
          }
          present.add(tracked);
          take(tracked, tracked.sightings.see(tracked.sight, object, notBefore));
        },
        ended() {
          bystanders.listed();
          for (const tracked of members) {
            if (tracked.since >= number) continue;
            const { sightings, sight } = tracked;
            find(tracked, present.has(tracked) ? sight : sightings.lose(sight, resourceVersion));
          }
          listed(collection);
        },
      };
    },
    changed(object, notBefore) {
      const key = keyIn(place, object);
      const tracked = objects.get(key);
      if (tracked === undefined) bystanders.add(key);
      else take(tracked, tracked.sightings.see(tracked.sight, object, notBefore));
    },
    deleted(object) {
      const key = keyIn(place, object);
      const tracked = objects.get(key);
      if (tracked === undefined) bystanders.remove(key);
      else take(tracked, tracked.sightings.lose(tracked.sight, resourceVersionOf(object)));
    },
  };
}

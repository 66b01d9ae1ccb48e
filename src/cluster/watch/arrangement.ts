import type { ResourceKey, ServedKind } from '../../model/index.ts';
import { collectionPath } from '../collection-path.ts';
import type { Collection, Tracked } from './collection.ts';
import { placeFor, placeId, type Declared, type Place } from './place.ts';
import { unseen, type Sightings } from './sight.ts';
import { createSpread, type Spread } from './spread.ts';

/** Which objects matter, and which place each of them is watched in. */
export interface Arrangement {
  readonly objects: ReadonlyMap<ResourceKey, Tracked>;
  readonly collections: ReadonlyMap<string, Collection>;
  /** Starts, keeps and ends watches as these objects need them; others are forgotten. */
  arrange(declared: readonly Declared[]): void;
  /** The kind may not be seen in the whole cluster: perhaps it may in each namespace. */
  confine(kind: ServedKind): void;
  /** The place has been listed: it answers from now on for objects that waited for it. */
  takeOver(collection: Collection): void;
  /** Ends everything. */
  end(): Promise<void>;
}

interface ArrangementOptions {
  readonly watch: (place: Place) => Collection;
  readonly sightingsOf: (kind: ServedKind) => Sightings;
  /** How many lists have begun so far. */
  readonly lists: () => number;
}

export function createArrangement({ watch, sightingsOf, lists }: ArrangementOptions): Arrangement {
  const objects = new Map<ResourceKey, Tracked>();
  const collections = new Map<string, Collection>();
  /** By kind. What is there already is not planned anew with every object that is added. */
  const spreads = new Map<string, Spread>();
  const ending = new Set<Promise<void>>();

  const collectionAt = (place: Place): Collection => {
    const id = placeId(place);
    const collection = collections.get(id) ?? watch(place);
    collections.set(id, collection);
    return collection;
  };
  const endUnused = (): void => {
    for (const [id, collection] of collections) {
      if (collection.members.size > 0) continue;
      collections.delete(id);
      const ended = collection.stop().finally(() => ending.delete(ended));
      ending.add(ended);
    }
  };

  const spreadOf = (kind: ServedKind): Spread => {
    const path = collectionPath(kind);
    const spread = spreads.get(path) ?? createSpread();
    spreads.set(path, spread);
    return spread;
  };

  const forget = (tracked: Tracked): void => {
    spreadOf(tracked.kind).remove(tracked.key);
    for (const place of [tracked.home, tracked.next]) {
      place?.members.delete(tracked);
      // It may be there.
      place?.bystanders.add(tracked.key);
    }
    objects.delete(tracked.key);
  };
  const begin = ({ key, kind }: Declared, home: Collection): void => {
    const tracked: Tracked = { key, kind, sightings: sightingsOf(kind), sight: unseen, home, next: undefined, since: lists(), known: false };
    objects.set(key, tracked);
    home.members.add(tracked);
  };
  const move = (tracked: Tracked, home: Collection): void => {
    tracked.home.members.delete(tracked);
    home.members.add(tracked);
    tracked.home = home;
    tracked.next = undefined;
  };
  const assign = (tracked: Tracked, wanted: Collection): void => {
    if (tracked.next !== undefined) tracked.next.members.delete(tracked);
    tracked.next = undefined;
    if (tracked.home === wanted) return;
    const isSeenThere = wanted.trouble() === undefined;
    if (!isSeenThere && tracked.known && tracked.home.trouble() === undefined) {
      // It stays in sight where it is until the new place is.
      tracked.next = wanted;
      wanted.members.add(tracked);
      return;
    }
    move(tracked, wanted);
    tracked.known &&= isSeenThere;
    tracked.since = lists();
  };

  const settle = (spread: Spread): void => {
    if (!spread.settle()) return;
    for (const key of spread.keys) {
      const tracked = objects.get(key);
      if (tracked !== undefined) assign(tracked, collectionAt(placeFor(tracked, spread.scope())));
    }
  };
  const arrange = (declared: readonly Declared[]): void => {
    const wanted = new Map(declared.map(({ key, kind }) => [key, kind]));
    const touched = new Set<Spread>();
    for (const tracked of [...objects.values()]) {
      const kind = wanted.get(tracked.key);
      // Another version of a kind shows other content under the same resourceVersion.
      if (kind === tracked.kind || (kind !== undefined && collectionPath(kind) === collectionPath(tracked.kind))) continue;
      touched.add(spreadOf(tracked.kind));
      forget(tracked);
    }
    const added = declared.filter(({ key }) => !objects.has(key));
    for (const { key, kind } of added) {
      const spread = spreadOf(kind);
      spread.add(key);
      touched.add(spread);
    }
    for (const spread of touched) settle(spread);
    for (const each of added) begin(each, collectionAt(placeFor(each, spreadOf(each.kind).scope())));
    endUnused();
  };

  return {
    objects,
    collections,
    arrange,
    confine(kind) {
      const spread = spreadOf(kind);
      spread.confine();
      settle(spread);
      endUnused();
    },
    takeOver(collection) {
      for (const tracked of [...collection.members]) if (tracked.next === collection) move(tracked, collection);
      endUnused();
    },
    async end() {
      for (const tracked of [...objects.values()]) forget(tracked);
      endUnused();
      await Promise.all(ending);
    },
  };
}

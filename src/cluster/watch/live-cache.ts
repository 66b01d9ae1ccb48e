import type { KubeObject, ResourceKey, ServedKind } from '../../model/index.ts';
import type { Log } from '../../telemetry/index.ts';
import type { Followable } from '../cluster.ts';
import { collectionPath } from '../collection-path.ts';
import type { Transport } from '../transport.ts';
import { createArrangement } from './arrangement.ts';
import { createReadings, type Readings } from './cached-reading.ts';
import { createChanges } from './changes.ts';
import { createCollection, type Collection, type CollectionStatus, type Tracked } from './collection.ts';
import { createLookUp } from './look-up.ts';
import type { Chance } from './next-attempt.ts';
import { observePlace } from './observe-place.ts';
import { defaultPacing, type WatchPacing } from './pacing.ts';
import type { Place } from './place.ts';
import { createSettling } from './settling.ts';
import { createSightings, type SightingOptions, type Sightings } from './sight.ts';
import { createTurns } from './turns.ts';

export interface LiveCacheOptions extends SightingOptions {
  readonly transport: Pick<Transport, 'send' | 'stream'>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly pacing?: Partial<WatchPacing>;
  /** In [0, 1). */
  readonly random?: () => number;
}

export interface LiveCache extends Readings {
  /**
   * The objects that matter from now on; all others are forgotten. What was seen of those that mattered before stays.
   * An object that is named twice is read in the version that is named last.
   */
  track(targets: readonly Followable[]): void;
  /** When each of these, or of all objects, was looked up once, or is known to be out of sight. */
  settled(signal: AbortSignal, keys?: Iterable<ResourceKey>): Promise<void>;
  /** The server's answer to a write of our own, before the watch shows it. What is older does not undo it. */
  put(key: ResourceKey, object: KubeObject): void;
  /** Told when an object got another digest, appeared, vanished, or came into or out of sight. Returns the way to end that. */
  onChange(listener: (key: ResourceKey) => void): () => void;
  collections(): readonly CollectionStatus[];
  close(): Promise<void>;
}

const listsAtOnce = 4;

/** Keeps the objects that matter in sight, each as the server last showed it. */
export function createLiveCache(options: LiveCacheOptions): LiveCache {
  const { transport, log, now } = options;
  const chance: Chance = { pacing: { ...defaultPacing, ...options.pacing }, random: options.random ?? Math.random };
  const takeTurn = createTurns(listsAtOnce);
  const closing = new AbortController();
  const { onChange, take, find, tell } = createChanges(log);
  let lists = 0;

  const watch = (place: Place): Collection =>
    createCollection({
      place,
      transport,
      chance,
      now,
      log,
      takeTurn,
      observe: (collection) => observePlace(collection, { objects, take, find, listing: () => (lists += 1), listed: arrangement.takeOver }),
      turned(collection) {
        if (collection.isWide && collection.failure?.state === 'forbidden') {
          arrangement.confine(place.kind);
          lookUpAll();
        }
        for (const tracked of collection.members) if (tracked.home === collection) tell(tracked);
      },
      attempted(collection) {
        lookUp(collection);
        settling.check();
      },
    });
  const arrangement = createArrangement({ watch, sightingsOf: createSightingsByKind(options), lists: () => lists });
  const { objects, collections } = arrangement;
  const settling = createSettling();
  const isPending = ({ known, home }: Tracked): boolean => !known && home.failure === undefined;
  const lookUp = createLookUp({
    transport,
    pacing: chance.pacing,
    signal: closing.signal,
    takeTurn,
    log,
    found(tracked, sight) {
      if (objects.get(tracked.key) === tracked) find(tracked, sight);
      settling.check();
    },
  });
  const lookUpAll = (): void => {
    for (const collection of collections.values()) lookUp(collection);
  };

  return {
    ...createReadings(objects),
    onChange,
    track(targets) {
      if (closing.signal.aborted) return;
      for (const collection of collections.values()) collection.retrySoon();
      arrangement.arrange([...new Map(targets.map(({ manifest: { key }, kind }) => [key, { key, kind }])).values()]);
      lookUpAll();
      settling.check();
    },
    settled(signal, keys) {
      const open = new Set(keys ?? objects.keys());
      // What is settled stays so, or is not waited for a second time.
      const settleSome = (): boolean => {
        for (const key of open) {
          const tracked = objects.get(key);
          if (tracked !== undefined && isPending(tracked)) return true;
          open.delete(key);
        }
        return false;
      };
      return settling.wait(settleSome, signal);
    },
    put(key, object) {
      const tracked = objects.get(key);
      if (tracked !== undefined) take(tracked, tracked.sightings.see(tracked.sight, object));
    },
    collections: () => [...collections.values()].map((collection) => collection.status()),
    async close() {
      closing.abort();
      await arrangement.end();
      settling.end();
    },
  };
}

function createSightingsByKind(options: LiveCacheOptions): (kind: ServedKind) => Sightings {
  const kinds = new Map<string, Sightings>();
  return (kind) => {
    const path = collectionPath(kind);
    const sightings = kinds.get(path) ?? createSightings(kind, options);
    kinds.set(path, sightings);
    return sightings;
  };
}

import { createBystanders, type Bystanders } from './bystanders.ts';
import { pathOf, type Declared, type Place } from './place.ts';
import type { Observer } from './place-view.ts';
import { createReflector, type ReflectorOptions } from './reflector.ts';
import { noVersion } from './resource-version.ts';
import type { Sight, Sightings } from './sight.ts';
import type { WatchFailure } from './watch-failure.ts';
import { createWatchHealth, type WatchState, type WatchTrouble } from './watch-health.ts';

/** An object that matters. */
export interface Tracked extends Declared {
  readonly sightings: Sightings;
  sight: Sight;
  /** What answers for it. */
  home: Collection;
  /** What will, once it has been listed. */
  next: Collection | undefined;
  /** How many lists had begun before it mattered: those have not looked for it. */
  since: number;
  /** A complete list has looked for it. */
  known: boolean;
}

/** One place under watch, and the objects in it that matter. */
export interface Collection {
  readonly place: Place;
  /** It covers all namespaces. */
  readonly isWide: boolean;
  readonly members: Set<Tracked>;
  /** All others in it. */
  readonly bystanders: Bystanders;
  /** The version up to which everything in it has been seen. */
  readonly seenUpTo: string;
  readonly state: WatchState;
  readonly failure: WatchFailure | undefined;
  trouble(): WatchTrouble | undefined;
  status(): CollectionStatus;
  relist(): void;
  retrySoon(): void;
  stop(): Promise<void>;
}

/** For people and metrics. */
export interface CollectionStatus {
  readonly path: string;
  /** Where only one object is watched. */
  readonly name?: string;
  readonly state: WatchState;
  /** Those that matter and are there. */
  readonly objects: number;
  readonly resourceVersion: string | undefined;
  readonly lastEventAt: Date | undefined;
  /** When the server last vouched for what was seen. */
  readonly currentAt: Date | undefined;
  readonly message?: string;
}

export interface CollectionOptions extends Omit<ReflectorOptions, 'health' | 'observer' | 'attempted'> {
  readonly observe: (collection: Collection) => Observer;
  /** It came into or out of sight. */
  readonly turned: (collection: Collection) => void;
  readonly attempted: (collection: Collection) => void;
}

export function createCollection(options: CollectionOptions): Collection {
  const { place, chance, now, observe, turned, attempted } = options;
  const members = new Set<Tracked>();
  const health = createWatchHealth({ place, trustMs: chance.pacing.trustMs, now, turned: () => turned(collection) });
  const collection: Collection = {
    place,
    isWide: place.kind.namespaced && place.namespace === undefined,
    members,
    bystanders: createBystanders(),
    get seenUpTo() {
      return reflector.seenUpTo;
    },
    get state() {
      return health.state;
    },
    get failure() {
      return health.failure;
    },
    trouble: health.trouble,
    status: () => ({
      path: pathOf(place),
      ...(place.name === undefined ? {} : { name: place.name }),
      state: health.state,
      objects: [...members].filter(({ home, sight }) => home === collection && sight.content !== undefined).length,
      resourceVersion: reflector.seenUpTo === noVersion ? undefined : reflector.seenUpTo,
      lastEventAt: reflector.lastEventAt,
      currentAt: health.currentAt,
      ...(health.failure === undefined ? {} : { message: health.failure.message }),
    }),
    relist: () => reflector.relist(),
    retrySoon: () => reflector.retrySoon(),
    async stop() {
      health.close();
      await reflector.stop();
    },
  };
  const reflector = createReflector({ ...options, health, observer: observe(collection), attempted: () => attempted(collection) });
  return collection;
}

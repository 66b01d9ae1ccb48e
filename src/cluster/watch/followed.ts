import type { ChangeStep, Health, KubeObject, ResourceKey } from '../../model/index.ts';
import type { Followable, Reading } from '../cluster.ts';
import type { Definitions } from '../definitions.ts';
import type { LiveCache } from './live-cache.ts';

/** A watched object as it was last seen; what costs something is worked out when it is asked for. */
interface FollowedSight {
  /** Null where there is no such object. */
  readonly digest: string | null;
  readonly health?: Health | undefined;
  reading(): Reading;
  journal(): readonly ChangeStep[];
}

export interface Followed {
  /** Watches `targets` and no others; done when `wanted`, or all of them, have been looked up once. */
  follow(targets: readonly Followable[], signal: AbortSignal, wanted?: readonly Followable[]): Promise<void>;
  /** Undefined where it is out of sight, and has to be read. */
  sight(key: ResourceKey): FollowedSight | undefined;
  admission(): string;
  applied(key: ResourceKey, object: KubeObject): void;
}

/** The live cache as one who compares the same targets again and again sees it. */
export function followWith(cache: LiveCache, { admission }: Pick<Definitions, 'admission'>): Followed {
  let followed: readonly Followable[] | undefined;
  return {
    async follow(targets, signal, wanted = targets) {
      if (targets !== followed) cache.track(targets);
      followed = targets;
      await cache.settled(signal, wanted.map(({ manifest }) => manifest.key));
    },
    sight(key) {
      const digest = cache.digestOf(key);
      if (digest !== undefined) return { digest, health: cache.healthOf(key), reading: () => readingOf(cache, key), journal: () => cache.journalOf(key) };
      return cache.reading(key).type === 'absent' ? { digest: null, reading: () => ({ type: 'absent' }), journal: () => [] } : undefined;
    },
    admission,
    applied: (key, object) => cache.put(key, object),
  };
}

function readingOf(cache: LiveCache, key: ResourceKey): Reading {
  const reading = cache.reading(key);
  return reading.type === 'unwatched' ? { ...reading, type: 'unknown' } : reading;
}

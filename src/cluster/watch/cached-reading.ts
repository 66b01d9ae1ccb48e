import { displayKey, type ChangeStep, type ErrorCode, type Health, type LiveObject, type ResourceKey } from '../../model/index.ts';
import type { Tracked } from './collection.ts';
import type { WatchTrouble } from './watch-health.ts';

export type CachedReading =
  | { readonly type: 'live'; readonly live: LiveObject; readonly digest: string }
  /** Said by a complete list, or by the server when it was deleted. */
  | { readonly type: 'absent' }
  /** What is known says nothing about now. */
  | { readonly type: 'unwatched'; readonly code: ErrorCode; readonly message: string };

export interface Readings {
  /** Undefined where `reading` is not `live`. Much cheaper. */
  digestOf(key: ResourceKey): string | undefined;
  reading(key: ResourceKey): CachedReading;
  /** As it was when it was last seen; undefined where `reading` is not `live`, or nobody judges. */
  healthOf(key: ResourceKey): Health | undefined;
  /** The writes that were seen, newest last, at most 20. An object that was deleted and made again has none. */
  journalOf(key: ResourceKey): readonly ChangeStep[];
}

export function createReadings(objects: ReadonlyMap<ResourceKey, Tracked>): Readings {
  const troubleOf = (key: ResourceKey): WatchTrouble | undefined => {
    const tracked = objects.get(key);
    if (tracked === undefined) return { code: 'ClusterError', message: `${displayKey(key)} is not watched` };
    const trouble = tracked.home.trouble();
    if (trouble !== undefined || tracked.known) return trouble;
    return { code: 'ClusterError', message: `${displayKey(key)} has not been looked up yet` };
  };
  return {
    digestOf: (key) => (troubleOf(key) === undefined ? objects.get(key)?.sight.content?.digest : undefined),
    healthOf: (key) => (troubleOf(key) === undefined ? objects.get(key)?.sight.content?.health : undefined),
    reading(key) {
      const trouble = troubleOf(key);
      if (trouble !== undefined) return { type: 'unwatched', code: trouble.code, message: trouble.message };
      const tracked = objects.get(key);
      if (tracked?.sight.content === undefined) return { type: 'absent' };
      const { version, content } = tracked.sight;
      return { type: 'live', live: { key, object: tracked.sightings.objectOf(content), resourceVersion: version }, digest: content.digest };
    },
    journalOf(key) {
      const tracked = objects.get(key);
      return tracked?.sight.content === undefined ? [] : tracked.sightings.journalOf(tracked.sight.content);
    },
  };
}

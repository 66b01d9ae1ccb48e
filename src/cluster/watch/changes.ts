import { displayKey, type ResourceKey } from '../../model/index.ts';
import type { Log } from '../../telemetry/index.ts';
import type { Tracked } from './collection.ts';
import { isNews, type Sight } from './sight.ts';

/** Takes in new sights of objects, and tells those who listen of what is news. */
export interface Changes {
  /** Returns the way to end it. */
  onChange(listener: (key: ResourceKey) => void): () => void;
  /** There is a new sight of an object. */
  take(tracked: Tracked, sight: Sight): void;
  /** A complete list had this sight of an object. */
  find(tracked: Tracked, sight: Sight): void;
  /** Whatever was seen of it, something else is to be read of it now. */
  tell(tracked: Tracked): void;
}

export function createChanges(log: Pick<Log, 'error'>): Changes {
  const listeners = new Set<(key: ResourceKey) => void>();
  const tell = ({ key }: Tracked): void => {
    for (const listener of listeners) {
      try {
        listener(key);
      } catch (error) {
        log.error('a change could not be passed on', { object: displayKey(key), reason: String(error) });
      }
    }
  };
  /** Nobody is told of what is out of sight: all is told when it comes back. */
  const tellIfInSight = (tracked: Tracked): void => {
    if (tracked.home.trouble() === undefined) tell(tracked);
  };
  return {
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    take(tracked, sight) {
      const news = tracked.known && isNews(tracked.sight, sight);
      tracked.sight = sight;
      if (news) tellIfInSight(tracked);
    },
    find(tracked, sight) {
      const news = !tracked.known || isNews(tracked.sight, sight);
      tracked.sight = sight;
      tracked.known = true;
      if (news) tellIfInSight(tracked);
    },
    tell,
  };
}

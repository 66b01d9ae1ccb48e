import { displayKey, type KubeObject } from '../../model/index.ts';
import type { Log } from '../../telemetry/index.ts';
import type { Collection, Tracked } from './collection.ts';
import { listOnce, type ListOnceRequest } from './list-once.ts';
import { singlePlace } from './place.ts';
import type { Sight } from './sight.ts';
import type { TakeTurn } from './turns.ts';

interface LookUpOptions extends Pick<ListOnceRequest, 'transport' | 'pacing' | 'signal'> {
  readonly takeTurn: TakeTurn;
  readonly log: Pick<Log, 'error'>;
  readonly found: (tracked: Tracked, sight: Sight) => void;
}

// More than these are looked up by a list of the whole place.
const fewObjects = 8;

/** For objects that began to matter when their place had been listed already: of what was seen of them then, only that they were there was kept. */
export function createLookUp({ transport, pacing, signal, takeTurn, log, found }: LookUpOptions): (collection: Collection) => void {
  const underWay = new Set<Tracked>();

  /** A list of one object, not a read: it names the version at which the object was not there. */
  const lookUpOne = async (tracked: Tracked): Promise<void> => {
    let object: KubeObject | undefined;
    const item = (seen: KubeObject): void => {
      object = seen;
    };
    const end = await takeTurn(() => listOnce({ transport, place: singlePlace(tracked), pacing, signal, began: () => undefined, item }));
    if (signal.aborted) return;
    const { sightings, sight, home } = tracked;
    if (end.type !== 'listed') home.relist();
    else found(tracked, object === undefined ? sightings.lose(sight, end.resourceVersion) : sightings.see(sight, object));
  };

  const start = (tracked: Tracked): void => {
    underWay.add(tracked);
    lookUpOne(tracked)
      .catch((error: unknown) => log.error('an object could not be looked up', { object: displayKey(tracked.key), reason: String(error) }))
      .finally(() => underWay.delete(tracked));
  };

  return (collection) => {
    // A list under way, or the one that ends the trouble, is followed by another look here.
    if (collection.trouble() !== undefined || collection.state === 'listing') return;
    const { bystanders, seenUpTo } = collection;
    const notSeen = [...collection.members].filter((tracked) => !tracked.known && !underWay.has(tracked));
    const { absent = [], unknown = [] } = Object.groupBy(notSeen, ({ key }) => (bystanders.isThere(key) === false ? 'absent' : 'unknown'));
    for (const tracked of absent) found(tracked, tracked.sightings.lose(tracked.sight, seenUpTo));
    if (unknown.length > fewObjects) collection.relist();
    else for (const tracked of unknown) start(tracked);
  };
}

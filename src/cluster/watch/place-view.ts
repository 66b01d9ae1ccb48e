import type { KubeObject } from '../../model/index.ts';
import type { Log } from '../../telemetry/index.ts';
import type { Transport } from '../transport.ts';
import { listOnce } from './list-once.ts';
import type { AttemptEnd, Chance } from './next-attempt.ts';
import { describePlace, type Place } from './place.ts';
import { compareVersions, noVersion } from './resource-version.ts';
import type { WatchHealth } from './watch-health.ts';
import { watchOnce, type WatchRequest } from './watch-once.ts';

/** A list that begins. */
export interface ListStart {
  readonly resourceVersion: string;
  /** What the list finds changed was changed after this time. */
  readonly notBefore: Date | undefined;
  /** The cluster is at an older state than it was (restored from a backup): versions seen before count for nothing. */
  readonly wentBack: boolean;
}

/** Told of everything that is seen in a place. A method that throws is logged, and the watch goes on. */
export interface Observer {
  /** Once `ended`, the list is known to have shown all there was at its version. */
  listing(start: ListStart): { item(object: KubeObject): void; ended(): void };
  /** `notBefore` where the change may have happened long before it was seen: after that time. */
  changed(object: KubeObject, notBefore: Date | undefined): void;
  deleted(object: KubeObject): void;
}

export interface PlaceViewOptions {
  readonly place: Place;
  readonly transport: Pick<Transport, 'send' | 'stream'>;
  readonly chance: Chance;
  readonly now: () => Date;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly health: WatchHealth;
  readonly observer: Observer;
  /** A watch has begun to work. */
  readonly opened: () => void;
}

/** One place, and how far it has been seen. */
export interface PlaceView {
  /** The version up to which everything has been seen. */
  readonly seenUpTo: string;
  readonly lastEventAt: Date | undefined;
  list(signal: AbortSignal): Promise<AttemptEnd>;
  watch(from: string, signal: AbortSignal): Promise<AttemptEnd>;
  /** The view was lost: what comes next may have happened at any time since it was last current. */
  lost(): void;
}

// After an interruption what comes first is what was missed; later changes are as new as they look.
const catchUpMs = 5000;

export function createPlaceView({ place, transport, chance, now, log, health, observer, opened: watchOpened }: PlaceViewOptions): PlaceView {
  const what = describePlace(place);
  let seenUpTo = noVersion;
  let lastEventAt: Date | undefined;
  let lostSince: Date | undefined;

  const isolated = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      log.error('what was seen could not be taken in', { place: what, reason: String(error) });
    }
  };
  const startOf = (resourceVersion: string, notBefore: Date | undefined): ListStart => {
    const wentBack = (compareVersions(resourceVersion, seenUpTo) ?? 0) < 0;
    if (wentBack) log.warn('the cluster went back to an older state', { place: what, from: seenUpTo, to: resourceVersion });
    return { resourceVersion, notBefore, wentBack };
  };

  return {
    get seenUpTo() {
      return seenUpTo;
    },
    get lastEventAt() {
      return lastEventAt;
    },
    lost() {
      lostSince ??= health.currentAt;
    },
    async list(signal) {
      health.listing();
      const notBefore = health.currentAt;
      let listing: ReturnType<Observer['listing']> | undefined;
      const end = await listOnce({
        transport,
        place,
        pacing: chance.pacing,
        signal,
        began: (resourceVersion) => isolated(() => (listing = observer.listing(startOf(resourceVersion, notBefore)))),
        item: (object) => isolated(() => listing?.item(object)),
      });
      if (end.type !== 'listed' || signal.aborted) return end;
      isolated(() => listing?.ended());
      seenUpTo = end.resourceVersion;
      lostSince = undefined;
      health.listed();
      return end;
    },
    watch(position, signal) {
      let openedAt = 0;
      const opened = (): void => {
        openedAt = performance.now();
        health.watching();
        watchOpened();
      };
      const seen: WatchRequest['seen'] = (event) => {
        seenUpTo = event.resourceVersion;
        if (event.type === 'bookmark') return;
        lastEventAt = now();
        if (performance.now() - openedAt > catchUpMs) lostSince = undefined;
        isolated(() => (event.type === 'deleted' ? observer.deleted(event.object) : observer.changed(event.object, lostSince)));
      };
      return watchOnce({ transport, place, position, chance, signal, opened, contact: () => health.contact(), seen });
    },
  };
}

import type { ErrorCode } from '../../model/index.ts';
import { describePlace, type Place } from './place.ts';
import type { WatchFailure } from './watch-failure.ts';

export type WatchState = 'listing' | 'watching' | WatchFailure['state'];

/** Why what was seen in a place says nothing about what is there now. */
export interface WatchTrouble {
  readonly code: ErrorCode;
  readonly message: string;
}

/** How well one place is seen. */
export interface WatchHealth {
  readonly state: WatchState;
  readonly failure: WatchFailure | undefined;
  /** When what had been seen was last known to be all there is. */
  readonly currentAt: Date | undefined;
  /** Undefined while what was seen can be relied on. */
  trouble(): WatchTrouble | undefined;
  listing(): void;
  listed(): void;
  watching(): void;
  /** The server has just vouched for what was seen. */
  contact(): void;
  failed(failure: WatchFailure): void;
  close(): void;
}

interface HealthOptions {
  readonly place: Place;
  readonly trustMs: number;
  readonly now: () => Date;
  /** It became good, bad, or bad for another reason. */
  readonly turned: () => void;
}

export function createWatchHealth({ place, trustMs, now, turned }: HealthOptions): WatchHealth {
  let state: WatchState = 'listing';
  let failure: WatchFailure | undefined;
  let wasListed = false;
  let currentAt: Date | undefined;
  // By a clock that nobody sets: a change of the wall clock is no outage.
  let currentSince = Number.NEGATIVE_INFINITY;

  const trouble = (): WatchTrouble | undefined => {
    if (failure !== undefined && (!wasListed || failure.state !== 'retrying')) return failure;
    if (!wasListed) return { code: 'ClusterError', message: `${describePlace(place)}: not listed yet` };
    if (performance.now() - currentSince < trustMs) return undefined;
    const why = failure === undefined ? '' : `: ${failure.message}`;
    return { code: 'ClusterUnreachable', message: `${describePlace(place)}: not seen since ${currentAt?.toISOString()}${why}` };
  };

  let told: ErrorCode | 'nothing yet' | undefined = 'nothing yet';
  const tell = (): void => {
    const code = trouble()?.code;
    if (code === told) return;
    told = code;
    turned();
  };
  const expiry = setTimeout(tell, trustMs + 1).unref();
  const vouchedFor = (): void => {
    currentAt = now();
    currentSince = performance.now();
    expiry.refresh();
  };

  return {
    get state() {
      return state;
    },
    get failure() {
      return failure;
    },
    get currentAt() {
      return currentAt;
    },
    trouble,
    listing() {
      state = 'listing';
    },
    listed() {
      state = 'watching';
      wasListed = true;
      failure = undefined;
      vouchedFor();
      tell();
    },
    watching() {
      state = 'watching';
      failure = undefined;
      vouchedFor();
      tell();
    },
    contact() {
      vouchedFor();
      tell();
    },
    failed(reason) {
      state = reason.state;
      failure = reason;
      tell();
    },
    close() {
      clearTimeout(expiry);
    },
  };
}

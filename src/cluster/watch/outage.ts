import type { Log } from '../../telemetry/index.ts';
import type { WatchFailure } from './watch-failure.ts';

/** Tells people of what does not heal by itself: once, and once more when it is over. */
export interface Outage {
  /** `failures`: in a row, this one included. */
  goesOn(failure: WatchFailure, failures: number): void;
  isOver(): void;
}

// A connection that is cut now and then is nobody's concern; a row of failures is.
const failuresWorthTelling = 3;

export function createOutage(place: string, log: Pick<Log, 'info' | 'warn'>): Outage {
  let told: string | undefined;
  return {
    goesOn({ state, message }, failures) {
      const isWorthTelling = state !== 'retrying' || failures === failuresWorthTelling;
      if (!isWorthTelling || told === message) return;
      told = message;
      log.warn('watch does not work', { place, reason: message });
    },
    isOver() {
      if (told !== undefined) log.info('watch works again', { place });
      told = undefined;
    },
  };
}

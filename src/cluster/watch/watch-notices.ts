import type { Log } from '../../telemetry/index.ts';
import type { Transport } from '../transport.ts';
import { listIfAllowed } from './list-if-allowed.ts';
import { defaultPacing } from './pacing.ts';
import type { Place } from './place.ts';
import { createReflector } from './reflector.ts';
import { createTurns } from './turns.ts';
import { createWatchHealth } from './watch-health.ts';

export interface Notices {
  /** Whether a change would be noticed now. */
  inSight(): boolean;
  close(): Promise<void>;
}

interface NoticesOptions {
  readonly places: readonly Place[];
  readonly transport: Pick<Transport, 'send' | 'stream'>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly now: () => Date;
  /** Something in one of the places is not as it was. */
  readonly changed: () => void;
}

/** Watches places for the sake of noticing any change in them; what is there is not kept. */
export function watchNotices({ places, transport, log, now, changed }: NoticesOptions): Notices {
  const chance = { pacing: defaultPacing, random: Math.random };
  const takeTurn = createTurns(places.length);
  const asking = listIfAllowed(transport, places);
  const watches = places.map((place) => {
    const health = createWatchHealth({ place, trustMs: defaultPacing.trustMs, now, turned: () => undefined });
    let wasListed = false;
    const observer = {
      listing: () => ({
        item: () => undefined,
        ended() {
          // Listed again because the watch had broken: what happened meanwhile is not known.
          if (wasListed) changed();
          wasListed = true;
        },
      }),
      changed,
      deleted: changed,
    };
    return { health, reflector: createReflector({ place, transport: asking, chance, now, log, health, observer, takeTurn, attempted: () => undefined }) };
  });
  return {
    inSight: () => watches.every(({ health }) => health.trouble() === undefined),
    async close() {
      for (const { health } of watches) health.close();
      await Promise.all(watches.map(({ reflector }) => reflector.stop()));
    },
  };
}

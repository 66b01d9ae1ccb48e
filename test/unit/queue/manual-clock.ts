import type { SetTimer } from '../../../src/queue/timer.ts';

export interface ManualClock {
  now(this: void): number;
  readonly setTimer: SetTimer;
  timers(): number;
  /** Lets that much time go by, each timer at its own moment, and everything settle in between. */
  advance(ms: number): Promise<void>;
}

// A turn of the event loop runs every promise callback there is, however long the chain.
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function manualClock(): ManualClock {
  let time = 0;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();

  return {
    now: () => time,
    setTimer(callback, delayMs) {
      const timer = { at: time + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    timers: () => timers.size,
    async advance(ms) {
      const end = time + ms;
      await settle();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
        if (next === undefined) break;
        timers.delete(next);
        time = next.at;
        next.callback();
        await settle();
      }
      time = end;
    },
  };
}

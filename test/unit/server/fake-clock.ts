import type { SetTimer } from '../../../src/server/deadline.ts';

export interface FakeClock {
  now(this: void): number;
  readonly setTimer: SetTimer;
  timers(): number;
  /** Lets that much time go by and calls back who is due. */
  advance(ms: number): void;
}

export const startOfTest = Date.parse('2026-03-02T08:26:45Z');

export function fakeClock(): FakeClock {
  let time = startOfTest;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => time,
    setTimer(callback, delayMs) {
      const timer = { at: time + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    timers: () => timers.size,
    advance(ms) {
      time += ms;
      for (const timer of [...timers].filter(({ at }) => at <= time)) {
        timers.delete(timer);
        timer.callback();
      }
    },
  };
}

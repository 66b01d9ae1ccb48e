// A clock that goes only when it is told to: timers fire in the order of their times, promises between them settle.
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../src/reconcile/index.ts';

export interface ManualClock extends Clock {
  /** Lets so much time pass, and everything happen that falls into it. */
  pass(ms: number): Promise<void>;
  readonly timers: () => number;
}

export function manualClock(random: () => number = () => 0.5, start = Date.parse('2026-01-01T00:00:00Z')): ManualClock {
  let time = 0;
  let order = 0;
  const timers = new Map<number, { readonly due: number; readonly callback: () => void }>();
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 4; round += 1) await turn();
  };
  return {
    now: () => new Date(start + time),
    monotonic: () => time,
    random,
    setTimer(callback, delayMs) {
      order += 1;
      const id = order;
      timers.set(id, { due: time + Math.max(0, delayMs), callback });
      return () => void timers.delete(id);
    },
    timers: () => timers.size,
    async pass(ms) {
      const end = time + ms;
      await settle();
      for (;;) {
        const [next] = [...timers].filter(([, { due }]) => due <= end).toSorted(([a, one], [b, other]) => one.due - other.due || a - b);
        if (next === undefined) break;
        timers.delete(next[0]);
        time = Math.max(time, next[1].due);
        next[1].callback();
        await settle();
      }
      time = end;
    },
  };
}

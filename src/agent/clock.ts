import type { Clock } from '../reconcile/index.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  random: Math.random,
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, Math.min(delayMs, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};

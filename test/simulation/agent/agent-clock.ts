import type { Clock } from '../../../src/reconcile/index.ts';
import type { SimulatedProcess, World } from '../../unit/leader/simulated-world.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

/** The world's time as it is written down. */
export function timeAt(world: World): Date {
  return new Date(start + world.time);
}

export function agentClock(world: World, process: SimulatedProcess, random: () => number): Clock {
  return { now: () => timeAt(world), monotonic: process.now, setTimer: process.setTimer, random };
}

/** Ends after the time, or with the signal. */
export function pauseWith({ setTimer }: Pick<Clock, 'setTimer'>): (ms: number, signal: AbortSignal) => Promise<void> {
  return (ms, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = setTimer(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, ms);
    signal.addEventListener('abort', leave, { once: true });
    return promise;
  };
}

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work of the main thread that comes in pieces: one after another, and never long without letting others have a turn. */
export interface Turns {
  run<T>(work: (breathe: () => Promise<void> | undefined) => T | Promise<T>): Promise<T>;
}

export function createTurns(sliceMs = 5): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let sliceStart = 0;
  const pause = async (): Promise<void> => {
    await nextTurn();
    sliceStart = performance.now();
  };
  const breathe = (): Promise<void> | undefined => (performance.now() - sliceStart > sliceMs ? pause() : undefined);
  return {
    run: (work) => {
      const done = last.then(breathe).then(() => work(breathe));
      last = done.catch(() => undefined);
      return done;
    },
  };
}

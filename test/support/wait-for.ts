import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/** What is waited for comes late on a busy machine, and never only where something is wrong. */
export const patienceMs = 30_000;

export interface WaitOptions {
  /** What is waited for, as it should read in the failure: "waited 10 s for …". */
  readonly what: string;
  readonly deadlineMs?: number;
}

/** Asks until the answer is truthy and returns it. A condition that throws is asked again. */
export async function waitFor<T>(condition: () => T | Promise<T>, options: WaitOptions): Promise<NonNullable<T>> {
  const { what, deadlineMs = patienceMs } = options;
  const deadline = performance.now() + deadlineMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(50, pauseMs * 2)) {
    let last: string;
    try {
      const value = await condition();
      if (value) return value;
      last = `the last answer was ${inspect(value, { depth: 4 })}`;
    } catch (error) {
      last = `the last error was ${inspect(error)}`;
    }
    if (performance.now() >= deadline) throw new Error(`waited ${deadlineMs / 1000} s for ${what}; ${last}`);
    await sleep(pauseMs);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

export interface Patience {
  /** What is waited for, as it should read in "waited 30 s for …". */
  readonly what: string;
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
}

/** Asks until there is an answer. What is thrown meanwhile is told when the time is over. */
export async function eventually<T>(ask: () => T | undefined | Promise<T | undefined>, { what, signal, deadlineMs = 60_000 }: Patience): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    let trouble = '';
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      trouble = `: ${error instanceof Error ? error.message : String(error)}`;
    }
    signal.throwIfAborted();
    if (performance.now() > deadline) throw new Error(`waited ${deadlineMs / 1000} s for ${what}, and it did not happen${trouble}`);
    await sleep(100, undefined, { signal });
  }
}

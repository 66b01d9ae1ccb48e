import { setTimeout as wait } from 'node:timers/promises';

/** Rejects when `signal` is aborted. */
export type Pause = (delayMs: number, signal: AbortSignal) => Promise<void>;

export const realPause: Pause = (delayMs, signal) => wait(delayMs, undefined, { signal });

interface Polling {
  /** All pauses together; what the answers take comes on top. */
  readonly withinMs: number;
  readonly pause: Pause;
  readonly signal: AbortSignal;
}

const [firstMs, longestMs] = [50, 1000];

/** Asks until there is an answer; undefined where there was none in time. */
export async function poll<T>(ask: () => Promise<T | undefined>, { withinMs, pause, signal }: Polling): Promise<T | undefined> {
  let left = withinMs;
  for (let delayMs = firstMs; ; delayMs = Math.min(delayMs * 2, longestMs)) {
    const answer = await ask();
    if (answer !== undefined || left <= 0) return answer;
    await pause(Math.min(delayMs, left), signal);
    left -= delayMs;
  }
}

import { backoffMs, type WatchPacing } from './pacing.ts';
import type { WatchFailure } from './watch-failure.ts';

/** How a list or a watch ended. `healthy`: it had worked until then. */
export type AttemptEnd =
  | { readonly type: 'listed'; readonly resourceVersion: string }
  | { readonly type: 'closed'; readonly healthy: boolean }
  /** It was given up because nothing came any more; `healthy`: something had come before. */
  | { readonly type: 'silent'; readonly healthy: boolean }
  /** The server no longer knows our resourceVersion or the page we ask for. */
  | { readonly type: 'expired'; readonly healthy: boolean }
  | { readonly type: 'unreadable' }
  | { readonly type: 'failed'; readonly healthy: boolean; readonly failure: WatchFailure };

export interface Progress {
  /** From where to watch; undefined: only a list can tell. */
  readonly position: string | undefined;
  /** In a row. A list alone ends no row: the watch after it has to work. */
  readonly failures: number;
  readonly silences: number;
}

export const atStart: Progress = { position: undefined, failures: 0, silences: 0 };

export interface Chance {
  readonly pacing: WatchPacing;
  readonly random: () => number;
}

// Some errors are about what we ask for and look like any other: now and then everything is asked anew.
const answersBeforeRelist = 5;
// A resourceVersion that the server has not reached yet (it was restored from a backup) is answered with silence for ever.
const silencesBeforeRelist = 2;

export function nextAttempt(progress: Progress, end: AttemptEnd, chance: Chance): { readonly progress: Progress; readonly delayMs: number } {
  const failures = (end.type !== 'listed' && 'healthy' in end && end.healthy ? 0 : progress.failures) + 1;
  const backoff = (): number => backoffMs(chance.pacing.backoff, failures, chance.random);
  const startOver = { position: undefined, silences: 0 };
  switch (end.type) {
    case 'listed':
      return { progress: { ...progress, position: end.resourceVersion }, delayMs: 0 };
    case 'closed':
      if (end.healthy) return { progress: { ...progress, failures: 0, silences: 0 }, delayMs: 0 };
      return { progress: { ...progress, failures }, delayMs: backoff() };
    case 'silent': {
      const silences = end.healthy ? 0 : progress.silences + 1;
      return { progress: { ...progress, failures: 0, ...(silences < silencesBeforeRelist ? { silences } : startOver) }, delayMs: 0 };
    }
    case 'expired':
      return { progress: { failures, ...startOver }, delayMs: failures === 1 ? 0 : backoff() };
    case 'unreadable':
      return { progress: { failures, ...startOver }, delayMs: backoff() };
    case 'failed':
      return afterFailure(end.failure, { ...progress, failures }, chance);
  }
}

function afterFailure(failure: WatchFailure, progress: Progress, { pacing, random }: Chance): { readonly progress: Progress; readonly delayMs: number } {
  if (failure.state !== 'retrying') return { progress: atStart, delayMs: Math.ceil(pacing.slowRetryMs * (0.9 + random() * 0.2)) };
  const backoff = backoffMs(pacing.backoff, progress.failures, random);
  const delayMs = failure.retryAfterMs === undefined ? backoff : Math.min(failure.retryAfterMs, pacing.slowRetryMs) + backoff;
  const doubtful = failure.heard === 'answer' && progress.failures % answersBeforeRelist === 0;
  return { progress: doubtful ? { ...progress, position: undefined } : progress, delayMs };
}

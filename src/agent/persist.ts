import { setTimeout as sleep } from 'node:timers/promises';
import { retryOf, toSetpointError, type ErrorCode } from '../model/index.ts';
import type { Log } from '../telemetry/index.ts';

interface PersistOptions {
  readonly log: Pick<Log, 'warn'>;
  readonly signal: AbortSignal;
  /** Whether that is thrown at once. Unless it is said otherwise: what somebody has to mend. */
  readonly givesUp?: (code: ErrorCode) => boolean;
}

const firstMs = 1000;
const longestMs = 30_000;

/** Tries again and again what may heal by itself. */
export async function persist<T>(work: () => Promise<T>, { log, signal, givesUp = (code) => retryOf(code) === 'changed' }: PersistOptions): Promise<T> {
  for (let waitMs = firstMs; ; waitMs = Math.min(longestMs, waitMs * 2)) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const { code, message } = toSetpointError(error);
      if (givesUp(code)) throw error;
      log.warn('the agent cannot start yet', { reason: message, retryInMs: waitMs });
      await sleep(waitMs, undefined, { signal });
    }
  }
}

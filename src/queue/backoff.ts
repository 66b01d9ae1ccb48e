/** The first failure waits up to `baseMs`, each further one up to twice as long, never longer than `maxMs`. */
export interface Backoff {
  readonly baseMs: number;
  readonly maxMs: number;
}

export const defaultBackoff: Backoff = { baseMs: 1_000, maxMs: 15 * 60_000 };

/**
 * How long to wait after the given number of failures in a row. Full jitter: anything from nothing to the limit, so
 * that keys that failed together do not come back together. `random` is in [0, 1).
 */
export function retryDelayMs(backoff: Backoff, failures: number, random: () => number): number {
  const limit = Math.min(backoff.maxMs, backoff.baseMs * 2 ** (failures - 1));
  return Math.ceil(random() * limit);
}

/**
 * The first failure waits up to `baseMs`, each further one up to twice as long, never longer than `maxMs`. Failures that
 * say `retry: 'soon'` (a conflict with another writer) begin with `soonMs`.
 */
export interface Backoff {
  readonly baseMs: number;
  readonly maxMs: number;
  readonly soonMs?: number;
}

export const defaultBackoff: Backoff = { baseMs: 1_000, maxMs: 15 * 60_000 };

const defaultSoonMs = 5;

/** How often each key failed since it last succeeded. */
export interface Failures {
  /** One more, and how long to wait now. Both classes are counted apart: a conflict does not make an outage longer. */
  failed(key: string, error: unknown): { readonly failures: number; readonly retryInMs: number };
  succeeded(key: string): void;
}

// Keys that were never seen to succeed, because another process did them: their count is worth less than the memory.
const mostKeys = 20_000;

export function createFailures(backoff: Backoff, random: () => number): Failures {
  const counts = new Map<string, { readonly soon: number; readonly later: number }>();
  return {
    failed(key, error) {
      const before = counts.get(key) ?? { soon: 0, later: 0 };
      const retry = isSoon(error) ? 'soon' : 'later';
      const failures = before[retry] + 1;
      const [oldest] = counts.keys();
      if (counts.size >= mostKeys && oldest !== undefined) counts.delete(oldest);
      counts.delete(key);
      counts.set(key, { ...before, [retry]: failures });
      const baseMs = retry === 'soon' ? (backoff.soonMs ?? defaultSoonMs) : backoff.baseMs;
      return { failures, retryInMs: retryDelayMs({ ...backoff, baseMs }, failures, random) };
    },
    succeeded(key) {
      counts.delete(key);
    },
  };
}

function isSoon(error: unknown): boolean {
  return error instanceof Error && 'retry' in error && error.retry === 'soon';
}

/** Full jitter: anything from nothing to the limit, so that keys that failed together do not come back together. */
function retryDelayMs({ baseMs, maxMs }: Backoff, failures: number, random: () => number): number {
  return Math.ceil(random() * Math.min(maxMs, baseMs * 2 ** (failures - 1)));
}

import { isKey } from './work-queue.ts';

/**
 * Two kinds of job, both holding a key and nothing else. `run` is the work itself. `later` is a delay or the wait before
 * a retry: when it is due it adds the `run`. Kept apart because BullMQ keeps the *last* job added while one is active,
 * so a delayed one would replace one wanted at once, and because its own retries end after a number of attempts.
 */
const kinds = ['run', 'later'] as const;
type Kind = (typeof kinds)[number];

export interface WantedWork {
  readonly kind: Kind;
  readonly key: string;
}

/** Anyone who reaches Redis can add jobs: only the two kinds we write, with a key and nothing else, count. */
export function parseJob(job: { readonly name: unknown; readonly data: unknown }): WantedWork | undefined {
  const kind = kinds.find((known) => known === job.name);
  const { data } = job;
  if (kind === undefined || typeof data !== 'object' || data === null) return undefined;
  const { key, ...others } = data as { readonly key?: unknown };
  return isKey(key) && Object.keys(others).length === 0 ? { kind, key } : undefined;
}

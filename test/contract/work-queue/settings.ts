import type { Backoff, QueueLog, WorkQueue } from '../../../src/queue/index.ts';

export interface QueueSettings {
  readonly concurrency: number;
  readonly backoff: Backoff;
  readonly log: QueueLog;
  readonly random: () => number;
  readonly closeDeadlineMs: number;
  readonly maxWaiting: number;
}

/** Makes an empty queue of its own on every call. */
export type CreateQueue = (settings: QueueSettings) => WorkQueue;

/** The same, for the duration of a test. */
export type OpenQueue = (settings?: Partial<QueueSettings>) => WorkQueue;

export const hour = 3_600_000;

export const soon: Backoff = { baseMs: 10, maxMs: 80 };
export const never: Backoff = { baseMs: 10 * hour, maxMs: 10 * hour };

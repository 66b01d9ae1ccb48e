import { randomUUID } from 'node:crypto';
import type { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { createTurns } from './turns.ts';
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

export interface RedisJobs {
  run(key: string): Promise<void>;
  /** At most one per key: the soonest. */
  later(key: string, delayMs: number): Promise<void>;
  /** Takes back what `later` added: a run that starts now is what it would have asked for. */
  forgetLater(key: string): Promise<void>;
  /** Empties a job that not even BullMQ can read, so that it can be dropped: it would be taken and lost for ever. */
  emptyUnreadable(id: string): Promise<'emptied' | 'readable'>;
}

export function createRedisJobs(queue: Queue, redis: Redis): RedisJobs {
  // Comparing two delays takes several commands. Between processes the worst outcome is the longer of two.
  const turns = createTurns();

  async function addLater(key: string, delayMs: number): Promise<void> {
    const id = { id: `later:${key}` };
    const mine = randomUUID();
    const added = await queue.add('later', { key }, { jobId: mine, delay: delayMs, deduplication: id });
    if (added.id === undefined || added.id === mine) return;
    const waiting: Job | undefined = await queue.getJob(added.id);
    // One that is gone or due has its run still ahead, which is soon enough.
    if (waiting === undefined || waiting.timestamp + waiting.delay <= Date.now() + delayMs) return;
    await queue.add('later', { key }, { jobId: mine, delay: delayMs, deduplication: { ...id, replace: true } });
  }

  return {
    async run(key) {
      const deduplication = { id: `run:${key}`, keepLastIfActive: true, reschedule: true };
      // Ids of our own: BullMQ's counter starts again at 1 after a FLUSHALL, when jobs with those ids still run.
      await queue.add('run', { key }, { jobId: randomUUID(), deduplication });
    },
    later: (key, delayMs) => turns.take(key, () => addLater(key, delayMs)),
    async forgetLater(key) {
      const id = await queue.getDeduplicationJobId(`later:${key}`);
      if (id !== null) await queue.remove(id);
    },
    async emptyUnreadable(id) {
      try {
        await queue.getJob(id);
        return 'readable';
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        // Not queue.remove(): the worker has taken and locked it again by now.
        await redis.hset(queue.toKey(id), { data: '{}', opts: '{}' });
        return 'emptied';
      }
    },
  };
}

/** Anyone who reaches Redis can add jobs: only the two kinds we write, with a key and nothing else, count. */
export function parseJob(job: { readonly name: unknown; readonly data: unknown }): WantedWork | undefined {
  const kind = kinds.find((known) => known === job.name);
  const { data } = job;
  if (kind === undefined || typeof data !== 'object' || data === null) return undefined;
  const { key, ...others } = data as { readonly key?: unknown };
  return isKey(key) && Object.keys(others).length === 0 ? { kind, key } : undefined;
}

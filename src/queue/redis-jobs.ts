import { randomUUID } from 'node:crypto';
import type { Job, Queue } from 'bullmq';
import { parseJob, type WantedWork } from './parse-job.ts';
import type { RedisClient } from './redis-connect.ts';
import { createTurns } from './turns.ts';
import type { QueueStats } from './work-queue.ts';

export interface RedisJobs {
  run(key: string): Promise<void>;
  /** At most one per key: the soonest. */
  later(key: string, delayMs: number): Promise<void>;
  /** Takes back what `later` added: a run that starts now is what it would have asked for. */
  forgetLater(key: string): Promise<void>;
  /** Whether it waits, has a delay or is under way, as far as Redis knows. */
  isWanted(key: string): Promise<boolean>;
  /** How many wait, delayed ones included. */
  count(): Promise<number>;
  stats(): Promise<QueueStats>;
  /** Lets interrupted work be looked for: a mark that this was just done, and that never ends, would keep all from it. */
  unblockStalledCheck(): Promise<void>;
  /** Empties a job that not even BullMQ can read, so that it can be dropped: it would be taken and lost for ever. */
  emptyUnreadable(id: string): Promise<'emptied' | 'readable'>;
}

/** The job that was there already and stands for the one that was to be added. */
type Folded = Job | undefined;

const alive: ReadonlySet<string> = new Set(['waiting', 'delayed', 'active', 'prioritized']);

export function createRedisJobs(queue: Queue, redis: RedisClient): RedisJobs {
  // Comparing two delays takes several commands. Between processes the worst outcome is the longer of two.
  const turns = createTurns();

  async function addRun(key: string): Promise<Folded> {
    const deduplication = { id: `run:${key}`, keepLastIfActive: true, reschedule: true };
    // Ids of our own: BullMQ's counter starts again at 1 after a FLUSHALL, when jobs with those ids still run.
    const mine = randomUUID();
    const { id } = await queue.add('run', { key }, { jobId: mine, deduplication });
    return id === undefined || id === mine ? undefined : queue.getJob(id);
  }

  async function addLater(key: string, delayMs: number): Promise<Folded> {
    const deduplication = { id: `later:${key}` };
    const mine = randomUUID();
    const { id } = await queue.add('later', { key }, { jobId: mine, delay: delayMs, deduplication });
    const waiting: Folded = id === undefined || id === mine ? undefined : await queue.getJob(id);
    // One that is gone or due has its run still ahead, which is soon enough.
    if (waiting === undefined || waiting.timestamp + waiting.delay <= Date.now() + delayMs) return waiting;
    const { id: last } = await queue.add(
      'later',
      { key },
      { jobId: mine, delay: delayMs, deduplication: { ...deduplication, replace: true } },
    );
    return last === mine ? undefined : waiting;
  }

  /** Adds a job; once more if it was folded into one that nobody will take, or of another key: it would swallow them all. */
  async function addSurely(wanted: WantedWork, add: () => Promise<Folded>): Promise<void> {
    const folded = await add();
    if (folded?.id === undefined || !(await isStray(folded, wanted))) return;
    await queue.getBackend().removeDeduplicationKey(`${wanted.kind}:${wanted.key}`, folded.id);
    await add();
  }

  async function isStray(folded: Job, { kind, key }: WantedWork): Promise<boolean> {
    const found = parseJob(folded);
    if (found?.kind !== kind || found.key !== key) return true;
    if (alive.has(await folded.getState())) return false;
    // One that was done meanwhile is gone.
    return (await queue.getJob(folded.id ?? '')) !== undefined;
  }

  async function oldestWaitingMs(): Promise<number> {
    try {
      const [job] = await queue.getWaiting(0, 0);
      if (job === undefined || parseJob(job) === undefined) return 0;
      return Math.max(0, Date.now() - job.timestamp - (job.opts.delay ?? 0)) || 0;
    } catch (error) {
      if (isUnreadable(error)) return 0;
      throw error;
    }
  }

  return {
    run: (key) => addSurely({ kind: 'run', key }, () => addRun(key)),
    later: (key, delayMs) => turns.take(key, () => addSurely({ kind: 'later', key }, () => addLater(key, delayMs))),
    async forgetLater(key) {
      const id = await queue.getDeduplicationJobId(`later:${key}`);
      if (id !== null) await queue.remove(id);
    },
    async isWanted(key) {
      const ids = await Promise.all([`run:${key}`, `later:${key}`].map((id) => queue.getDeduplicationJobId(id)));
      return ids.some((id) => id !== null);
    },
    count: () => queue.getJobCountByTypes('waiting', 'delayed'),
    async stats() {
      const { waiting = 0, delayed = 0, active = 0 } = await queue.getJobCounts('waiting', 'delayed', 'active');
      return { waiting, delayed, underWay: active, oldestWaitingMs: waiting === 0 ? 0 : await oldestWaitingMs() };
    },
    async unblockStalledCheck() {
      const mark = queue.toKey('stalled-check');
      if ((await redis.pttl(mark)) === -1) await redis.del(mark);
    },
    async emptyUnreadable(id) {
      try {
        await queue.getJob(id);
        return 'readable';
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        // Not queue.remove(): the worker has taken and locked it again by now.
        await redis.hset(queue.toKey(id), { data: '{}', opts: '{}' });
        return 'emptied';
      }
    },
  };
}

/** What BullMQ throws at a job whose fields are no JSON, or no objects. */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof TypeError;
}

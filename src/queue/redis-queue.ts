import { Queue } from 'bullmq';
import { SetpointError } from '../model/index.ts';
import { defaultBackoff, type Backoff } from './backoff.ts';
import { parseRedisUrl } from './redis-address.ts';
import { createRedisHealing } from './redis-healing.ts';
import { createRedisJobs, type RedisJobs } from './redis-jobs.ts';
import { createRedisLink } from './redis-link.ts';
import { redisReason } from './redis-reason.ts';
import type { ServerCheck } from './redis-server-check.ts';
import { createRedisWorker, type RedisWorker } from './redis-worker.ts';
import { createRoom } from './room.ts';
import { checkKey, closedError, defaultCloseDeadlineMs, defaultMaxWaiting, delayOf } from './work-queue.ts';
import { startedTwiceError } from './work-queue.ts';
import type { QueueLog, WorkHandler, WorkQueue } from './work-queue.ts';

export interface RedisQueueOptions {
  /** `redis://`, `rediss://`, and both with `+sentinel` or `+cluster`; docs/redis.md. */
  readonly url: string;
  /** Where passwords and certificate files may be named instead: `SETPOINT_REDIS_…`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Queues of different names share a Redis without seeing each other. No colon. */
  readonly name: string;
  readonly concurrency: number;
  readonly backoff?: Backoff;
  readonly log: QueueLog;
  readonly random?: () => number;
  readonly closeDeadlineMs?: number;
  readonly maxWaiting?: number;
  /** How long a process that was killed keeps the keys it was working on from the others. */
  readonly lockMs?: number;
}

// Braces: every key of the queue lives in one slot of a Redis Cluster, which BullMQ's scripts need.
export const queuePrefix = '{setpoint}';

/** A queue that outlives the process and may be shared. Redis may lose it: whoever starts it adds every key again. */
export function createRedisQueue(options: RedisQueueOptions): WorkQueue {
  const { name, log, concurrency, backoff = defaultBackoff, random = Math.random, lockMs = 30_000 } = options;
  const address = parseRedisUrl(options.url, options.env ?? process.env);
  const link = createRedisLink({ address, log, onUsable });
  const queue = new Queue(name, {
    connection: link.connection,
    prefix: queuePrefix,
    skipVersionCheck: true,
    // Nobody reads BullMQ's stream of events.
    streams: { events: { maxLen: 100 } },
    defaultJobOptions: {
      removeOnComplete: true,
      removeOnFail: true,
      // Only for a job that could not even be put back: a handler's failure is a `later` job, not an attempt.
      attempts: 2 ** 31 - 1,
      backoff: { type: 'custom' },
      stackTraceLimit: 0,
    },
  });
  queue.on('error', onError);
  const jobs = createRedisJobs(queue, link.connection);
  const healing = createRedisHealing({ redis: link.connection, prefix: `${queuePrefix}:${name}:`, log });
  const room = createRoom({ jobs, maxWaiting: options.maxWaiting ?? defaultMaxWaiting, log });

  let handler: WorkHandler | undefined;
  let server: ServerCheck | undefined;
  let worker: RedisWorker | undefined;
  let shutDown: Promise<void> | undefined;
  let isClosed = false;

  function onUsable(checked: ServerCheck): void {
    server = checked;
    jobs.unblockStalledCheck().catch(link.onError);
    startWorker();
  }

  /** Once, when there are both a handler and a server: BullMQ's worker does not stand a server that never answered. */
  function startWorker(): void {
    if (handler === undefined || server === undefined || worker !== undefined || shutDown !== undefined) return;
    const shared = { name, concurrency, backoff, random, lockMs, handler, log };
    const adds: Pick<RedisJobs, 'run' | 'later'> = {
      run: (key) => healing.around(() => jobs.run(key)),
      later: (key, delayMs) => healing.around(() => jobs.later(key, delayMs)),
    };
    worker = createRedisWorker({ ...shared, prefix: queuePrefix, address, server, jobs: { ...jobs, ...adds }, onError });
  }

  async function letGo(): Promise<void> {
    // The worker first: what it cannot finish it puts back through the link.
    await worker?.close(options.closeDeadlineMs ?? defaultCloseDeadlineMs);
    isClosed = true;
    await queue.close();
    await link.close();
  }

  /** Of BullMQ and its connections. */
  function onError(problem: unknown): void {
    link.onError(problem);
    healing.heal(problem).catch(link.onError);
  }

  async function ask<T>(question: () => Promise<T>): Promise<T> {
    const away = await link.whyAway();
    if (isClosed) throw closedError();
    if (away !== undefined) throw unavailable(away);
    try {
      return await healing.around(question);
    } catch (error) {
      if (error instanceof SetpointError) throw error;
      throw unavailable(address.hideSecrets(redisReason(error)));
    }
  }

  // Without a cause: ioredis puts the password into its errors (command.args of a refused HELLO).
  function unavailable(reason: string): SetpointError {
    return new SetpointError('QueueUnavailable', `Redis at ${address.shown} did not take the work: ${reason}`);
  }

  return {
    async add(key, addOptions) {
      checkKey(key);
      const delayMs = delayOf(addOptions);
      await ask(async () => {
        await room.check(key);
        await (delayMs > 0 ? jobs.later(key, delayMs) : jobs.run(key));
      });
    },
    start(newHandler) {
      if (handler !== undefined) throw startedTwiceError();
      handler = newHandler;
      startWorker();
    },
    stats: () => ask(jobs.stats),
    close() {
      shutDown ??= letGo();
      return shutDown;
    },
  };
}

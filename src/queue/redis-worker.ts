import { Worker, type Job } from 'bullmq';
import { createFailures, type Backoff } from './backoff.ts';
import { parseJob } from './parse-job.ts';
import { createRareWord } from './rare-word.ts';
import type { RedisAddress } from './redis-address.ts';
import { connectRedis } from './redis-connect.ts';
import type { RedisJobs } from './redis-jobs.ts';
import type { ServerCheck } from './redis-server-check.ts';
import { endsWithin } from './timer.ts';
import { createTurns } from './turns.ts';
import { reasonOf, type QueueLog, type WorkHandler } from './work-queue.ts';

export interface RedisWorkerOptions {
  readonly name: string;
  readonly prefix: string;
  readonly address: RedisAddress;
  readonly server: ServerCheck;
  readonly concurrency: number;
  readonly backoff: Backoff;
  readonly random: () => number;
  readonly lockMs: number;
  readonly jobs: RedisJobs;
  readonly handler: WorkHandler;
  readonly log: QueueLog;
  /** Errors of BullMQ and of its connections. */
  readonly onError: (error: unknown) => void;
}

export interface RedisWorker {
  close(deadlineMs: number): Promise<void>;
}

// A process that was killed leaves its job locked; it is "stalled" once the lock is over. BullMQ drops a job that
// stalled more often than this; see `takeBack`.
const maxStalledCount = 5;

// Whoever floods Redis does not flood the log.
const sameAgainMs = 10_000;

// How long a worker without work may take to say goodbye to Redis; it would wait for ever for one that is away.
const goodbyeMs = 2_000;

// Longer than BullMQ's longest blocking read (10 s); a socket that is silent for this long is dead.
const silenceMs = 30_000;

// What a write gets until someone repairs the server. Without the pause of a reconnect BullMQ asks again at once,
// thousands of times a second.
const serverCannotWrite = /^(READONLY|MISCONF|NOREPLICAS|OOM|NOPERM|LOADING|MASTERDOWN|CLUSTERDOWN)/;

export function createRedisWorker(options: RedisWorkerOptions): RedisWorker {
  const { jobs, handler, log, backoff } = options;
  const closing = new AbortController();
  const failures = createFailures(backoff, options.random);
  const sayDropped = createRareWord(sameAgainMs, () => performance.now());
  const sayInterrupted = createRareWord(sameAgainMs, () => performance.now());
  // BullMQ's own promise of one run per key ends with its lock: at a FLUSHALL, or an outage longer than the lock.
  const turns = createTurns();

  async function work(job: Job): Promise<void> {
    const wanted = parseJob(job);
    if (wanted === undefined) {
      const seen = { job: job.id?.slice(0, 64), queue: options.name };
      sayDropped((dropped) => log.warn('dropped jobs that Setpoint did not write', { dropped, ...seen }));
    } else if (wanted.kind === 'run') {
      await turns.take(wanted.key, () => run(wanted.key));
    } else {
      // In this order: one added from now on is a job of its own, and one that was folded into this has its run ahead.
      await job.removeDeduplicationKey();
      await jobs.run(wanted.key);
    }
  }

  async function run(key: string): Promise<void> {
    // Thrown errors give the job back to BullMQ, which hands it to the next process that asks.
    closing.signal.throwIfAborted();
    // One that is left over costs a run too many; the work itself does not wait for Redis.
    await jobs.forgetLater(key).catch(options.onError);
    try {
      await handler(key, closing.signal);
    } catch (error) {
      closing.signal.throwIfAborted();
      await retryLater(key, error);
      return;
    }
    failures.succeeded(key);
  }

  async function retryLater(key: string, error: unknown): Promise<void> {
    const failure = failures.failed(key, error);
    log.warn('work failed and is tried again', { key, ...failure, reason: reasonOf(error) });
    await jobs.later(key, failure.retryInMs);
  }

  /** A job that BullMQ gave up goes to the end of the longest wait instead: it may be what kills the process. */
  async function takeBack(job: Job | undefined): Promise<void> {
    const wanted = job?.finishedOn === undefined ? undefined : parseJob(job);
    if (wanted === undefined) return;
    log.error('work was interrupted too often and waits for the longest time', { key: wanted.key });
    await jobs.later(wanted.key, backoff.maxMs);
  }

  /** The lock of a job was over: whoever had it is gone, or could not read it. */
  async function onStalled(id: string): Promise<void> {
    if ((await jobs.emptyUnreadable(id)) === 'emptied') return;
    const seen = { job: id.slice(0, 64), queue: options.name };
    sayInterrupted((interrupted) => log.warn('work was interrupted and runs again', { interrupted, ...seen }));
  }

  const mayAskInfo = options.server === 'checked';
  const manner = {
    enableReadyCheck: mayAskInfo,
    maxRetriesPerRequest: null,
    socketTimeout: silenceMs,
    reconnectOnError: (error: Error) => serverCannotWrite.test(error.message),
  };
  const connection = connectRedis(options.address, manner, closing.signal);
  connection.on('error', options.onError);
  const worker = new Worker(options.name, work, {
    connection,
    prefix: options.prefix,
    concurrency: options.concurrency,
    skipVersionCheck: !mayAskInfo,
    lockDuration: options.lockMs,
    stalledInterval: options.lockMs,
    maxStalledCount,
    runRetryDelay: 1_000,
    // For jobs that others wrote; ours say so themselves.
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    settings: { backoffStrategy: () => (closing.signal.aborted ? 0 : backoff.baseMs) },
  });
  worker.on('error', options.onError);
  worker.on('failed', (job) => {
    takeBack(job).catch(options.onError);
  });
  worker.on('stalled', (id) => {
    onStalled(id).catch(options.onError);
  });

  return {
    async close(deadlineMs) {
      closing.abort();
      await worker.pause(true);
      const calm = await endsWithin(turns.over(), deadlineMs);
      if (!calm) log.warn('work did not stop in time and was left behind', { keys: turns.names(), deadlineMs });
      if (!calm || connection.status !== 'ready') {
        await worker.close(true);
      } else if (!(await endsWithin(worker.close(), goodbyeMs))) {
        await worker.getBackend().close(true);
        connection.disconnect();
        await endsWithin(worker.close(), goodbyeMs);
      }
      connection.disconnect();
    },
  };
}

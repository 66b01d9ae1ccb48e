import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { createRedisQueue, type WorkQueue } from '../../../src/queue/index.ts';
import { recordingLog, type RecordingLog } from '../../support/recording-log.ts';
import { startRedis, type RedisServer } from '../../support/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

/** What the queue puts before the name of everything it keeps in Redis. */
export const prefix = '{setpoint}';

export interface Subject {
  readonly queue: WorkQueue;
  readonly log: RecordingLog;
  readonly name: string;
  /** How many log lines begin so. */
  said(this: void, message: string): number;
}

export function open(url: string, settings: { readonly lockMs?: number; readonly name?: string } = {}): Subject {
  const log = recordingLog();
  const { name = `test-${randomUUID()}` } = settings;
  const backoff = { baseMs: 10, maxMs: 100 };
  const queue = createRedisQueue({ concurrency: 4, closeDeadlineMs: 1_000, backoff, ...settings, url, name, log });
  onTestFinished(() => queue.close());
  return { queue, log, name, said: (message) => log.lines.filter((line) => line.message.startsWith(message)).length };
}

export async function serve(options: Parameters<typeof startRedis>[0] = {}): Promise<RedisServer> {
  const redis = await startRedis(options);
  onTestFinished(() => redis.stop());
  return redis;
}

/** Somebody else who reaches the same Redis. */
export function connect(redis: RedisServer): Redis {
  const stranger = new Redis(redis.url, { maxRetriesPerRequest: null });
  onTestFinished(() => stranger.disconnect());
  return stranger;
}

/** For a Redis that is about to come back. */
export async function addSoon(queue: WorkQueue, key: string, deadlineMs = 10_000): Promise<void> {
  await waitFor(() => queue.add(key).then(() => true), { what: `${key} to be taken`, deadlineMs });
}

// What BullMQ keeps for a queue even when it is empty.
const bookkeeping = new Set(['events', 'id', 'marker', 'meta', 'stalled', 'stalled-check']);

export async function jobsLeft(redis: RedisServer): Promise<string[]> {
  const keys = (await redis.command('KEYS', '*')) as string[];
  return keys.filter((key) => !bookkeeping.has(key.slice(key.lastIndexOf(':') + 1)));
}

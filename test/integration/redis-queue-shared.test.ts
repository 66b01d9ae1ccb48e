import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRedisQueue } from '../../src/queue/index.ts';
import { openWith } from '../contract/work-queue.ts';
import { testUnderLoad } from '../contract/work-queue/load.ts';
import { witness } from '../contract/work-queue/witness.ts';
import { startRedis, type RedisServer } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { connect, jobsLeft, open, prefix, serve } from './redis-queue/subject.ts';

async function takeAndDie(redis: RedisServer, name: string): Promise<{ readonly job: string; readonly redis: Redis }> {
  const stranger = connect(redis);
  const dead = new Worker(name, null, { connection: stranger, prefix, lockDuration: 100, autorun: false });
  const job = await dead.getNextJob('dead', { block: false });
  await dead.close(true);
  return { job: job?.id ?? '', redis: stranger };
}

describe('a Redis that others reach too', () => {
  test('jobs that Setpoint did not write are dropped with a word, and harm nothing', async () => {
    const redis = await serve();
    const { queue, name, said } = open(redis.url, { lockMs: 200 });
    const stranger = connect(redis);
    const hostile = new Queue(name, { connection: stranger, prefix });
    const keys = [7, '', 'x'.repeat(1025), ['web'], { key: 'web' }].map((key) => ({ key }));
    const payloads: unknown[] = [{}, null, 'web', 7, ['web'], ...keys, { key: 'web', run: 'rm' }];
    for (const data of payloads) await hostile.add('run', data);
    await hostile.add('evil', { key: 'web' });
    await hostile.add('__proto__', { key: 'web' });
    const mangled = await hostile.add('run', { key: 'web' });
    await stranger.hset(hostile.toKey(mangled.id ?? ''), 'data', '{"key":');
    const work = witness();
    queue.start(work.handler);
    await queue.add('honest');
    await work.ran('honest');
    expect(work.keys()).toEqual(['honest']);
    await waitFor(async () => (await jobsLeft(redis)).length === 0, { what: 'the jobs to go' });
    expect(said('dropped jobs that Setpoint did not write')).toBe(1);
    expect(work.keys()).toEqual(['honest']);
  });

  test('a key added behind the queue’s back does not run beside itself', async () => {
    const redis = await serve();
    const { queue, name } = open(redis.url);
    const hostile = new Queue(name, { connection: connect(redis), prefix });
    const work = witness({ hold: ['web'] });
    queue.start(work.handler);
    await queue.add('web');
    await work.started('web');
    await hostile.add('run', { key: 'web' });
    await queue.add('api');
    await work.ran('api');
    expect(work.underWay()).toHaveLength(1);
    work.release('web');
    await work.ran('web', 2);
    expect(work.keys()).toEqual(['web', 'api', 'web']);
  });

  test('what is added while the queue closes is left to the next agent', async () => {
    const redis = await serve();
    const { queue, name } = open(redis.url);
    const work = witness({ hold: ['web'] });
    queue.start(work.handler);
    await queue.add('web');
    await work.started('web');
    const closed = queue.close();
    const from = performance.now();
    await queue.add('api');
    await waitFor(() => performance.now() - from > 200, { what: 'time to take it again and again' });
    work.release('web');
    await closed;
    const [waiting] = await new Queue(name, { connection: connect(redis), prefix }).getWaiting();
    expect(waiting?.data).toEqual({ key: 'api' });
    // BullMQ was already asking for a job when it was told to pause; it gives that one back.
    expect(waiting?.attemptsStarted).toBeLessThanOrEqual(1);
    expect(work.keys()).toEqual(['web']);
  });

  test('nothing of the work stays in Redis when it is done', async () => {
    const redis = await serve();
    const { queue, name } = open(redis.url);
    const work = witness({ fail: ({ key, count }) => key === 'api' && count === 1 });
    queue.start(work.handler);
    await queue.add('web');
    await queue.add('api');
    await queue.add('delayed', { delayMs: 1 });
    for (const key of ['web', 'delayed']) await work.ran(key);
    await work.ran('api', 2);
    await waitFor(async () => (await jobsLeft(redis)).length === 0, { what: 'the jobs to go' });
    expect(await redis.command('KEYS', `${prefix}:${name}:*`)).toEqual(await redis.command('KEYS', '*'));
  });
});

describe('an agent that was killed', () => {
  test('leaves its key to the next one', async () => {
    const redis = await serve();
    const { queue, name, said } = open(redis.url, { lockMs: 200 });
    await queue.add('web');
    await takeAndDie(redis, name);
    const work = witness();
    queue.start(work.handler);
    await work.ran('web');
    expect(said('work was interrupted and runs again')).toBe(1);
  });

  test('again and again does not lose the key', async () => {
    const redis = await serve();
    const { queue, name, said } = open(redis.url, { lockMs: 200 });
    await queue.add('web');
    const dead = await takeAndDie(redis, name);
    await dead.redis.hset(`${prefix}:${name}:${dead.job}`, 'stc', 1_000);
    const work = witness();
    queue.start(work.handler);
    await work.ran('web');
    expect(said('work was interrupted too often')).toBe(1);
  });
});

describe('two agents on one Redis', () => {
  let redis: RedisServer | undefined;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  testUnderLoad(
    openWith((settings) => {
      const shared = { ...settings, url: redis?.url ?? '', name: `test-${randomUUID()}` };
      const one = createRedisQueue({ ...shared, concurrency: settings.concurrency - 2 });
      const other = createRedisQueue({ ...shared, concurrency: 2 });
      const served = { one: 0, other: 0 };
      let adds = 0;
      return {
        add(key, options) {
          adds += 1;
          return (adds % 2 === 0 ? one : other).add(key, options);
        },
        start(handler) {
          one.start((key, signal) => {
            served.one += 1;
            return handler(key, signal);
          });
          other.start((key, signal) => {
            served.other += 1;
            return handler(key, signal);
          });
        },
        stats: () => one.stats(),
        async close() {
          await Promise.all([one.close(), other.close()]);
          if (served.one === 0 || served.other === 0) throw new Error('one agent did all the work');
        },
      };
    }),
  );
});

import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { witness } from '../contract/work-queue/witness.ts';
import { hasRedisServer } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { addSoon, jobsLeft, open, serve } from './redis-queue/subject.ts';

describe('a Redis that loses or refuses data', () => {
  test('FLUSHALL does not wedge the queue, nor make a key run twice at once', async () => {
    const redis = await serve();
    const { queue } = open(redis.url);
    const work = witness({ hold: ['web'] });
    queue.start(work.handler);
    await queue.add('web');
    await queue.add('lost', { delayMs: 3_600_000 });
    await work.started('web');
    await redis.command('FLUSHALL');
    await queue.add('web');
    await queue.add('api');
    await queue.add('lost', { delayMs: 1 });
    await work.ran('api');
    await work.ran('lost');
    expect(work.underWay().map(({ key }) => key)).toEqual(['web']);
    work.release('web');
    await work.ran('web', 2);
    await queue.add('web');
    await work.ran('web', 3);
  });

  test('work that is added after FLUSHALL keeps its lock when older work ends', async () => {
    const redis = await serve();
    const { queue, said } = open(redis.url, { lockMs: 600 });
    const older = Promise.withResolvers<void>();
    const newer = Promise.withResolvers<void>();
    const work = witness({ act: ({ key }) => (key === 'older' ? older.promise : newer.promise) });
    queue.start(work.handler);
    await queue.add('older');
    await work.started('older');
    await redis.command('FLUSHALL');
    await queue.add('newer');
    const { startedAt } = await work.started('newer');
    older.resolve();
    await waitFor(() => performance.now() - startedAt > 2_000, { what: 'several lock times to go by' });
    newer.resolve();
    await work.ran('newer');
    expect(said('work was interrupted')).toBe(0);
    expect(work.keys()).toEqual(['older', 'newer']);
  });

  test('work that ends while its connection is cut is not done again', async () => {
    const redis = await serve();
    const { queue, said } = open(redis.url, { lockMs: 200 });
    const work = witness({ hold: ['web'] });
    queue.start(work.handler);
    await queue.add('web');
    await work.started('web');
    await redis.command('CLIENT', 'KILL', 'TYPE', 'normal');
    work.release('web');
    await waitFor(async () => (await jobsLeft(redis)).length === 0, { what: 'the job to be done' });
    expect(work.keys()).toEqual(['web']);
    expect(said('work was interrupted')).toBe(0);
  });

  test('a key that fails after FLUSHALL is tried again all the same', async () => {
    const redis = await serve();
    const { queue } = open(redis.url);
    const work = witness({ hold: ['web'], fail: ({ count }) => count < 3 });
    queue.start(work.handler);
    await queue.add('web');
    await work.started('web');
    await redis.command('FLUSHALL');
    work.release('web');
    await work.ran('web', 3);
    expect(work.mostAtOnce()).toBe(1);
  });

  test('a server that evicts keys is complained about', async () => {
    const redis = await serve();
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    const { queue, log } = open(redis.url);
    await queue.add('web');
    expect(log.lines).toEqual([
      {
        level: 'error',
        message: 'Redis may throw queued work away when memory is short: set maxmemory-policy noeviction',
        fields: { policy: 'allkeys-lru' },
      },
    ]);
  });

  test.skipIf(!hasRedisServer)('a server that became a replica is not asked thousands of times a second', async () => {
    const redis = await serve();
    const { queue, said } = open(redis.url);
    const work = witness({ hold: ['1', '2', '3', '4'] });
    queue.start(work.handler);
    for (const key of ['1', '2', '3', '4', '5']) await queue.add(key);
    await work.started('4');
    await redis.command('REPLICAOF', '127.0.0.1', '1');
    for (const key of ['1', '2', '3', '4']) work.release(key);
    await waitFor(() => said('the queue has a problem') > 0, { what: 'a word about the refusal' });
    const errors = async (): Promise<number> => {
      const info = String(await redis.command('INFO'));
      return Number(/total_error_replies:(\d+)/.exec(info)?.[1]);
    };
    const [before, from] = [await errors(), performance.now()];
    await waitFor(() => performance.now() - from > 1_000, { what: 'a second to go by' });
    expect((await errors()) - before).toBeLessThan(100);
    await expect(queue.add('6')).rejects.toMatchObject({ code: 'QueueUnavailable' });
    await redis.command('REPLICAOF', 'NO', 'ONE');
    await addSoon(queue, '6');
    await work.ran('6');
    await work.ran('5');
  });
});

describe('a Redis with a password', () => {
  const password = 'hunter2 & "more"';

  test('works with the right one', async () => {
    const redis = await serve({ password });
    const { queue } = open(redis.url);
    const work = witness();
    queue.start(work.handler);
    await queue.add('web');
    await work.ran('web');
    expect(work.keys()).toEqual(['web']);
  });

  test('refuses a wrong one, which appears in no error and no log line, and is tried again', async () => {
    const redis = await serve({ password });
    const { queue, log } = open(`redis://:wrong-one@127.0.0.1:${redis.port}`);
    const work = witness();
    queue.start(work.handler);
    const refusal: unknown = await queue.add('web').catch((error: unknown) => error);
    const message: unknown = expect.stringMatching(/127\.0\.0\.1:\d+ .*WRONGPASS/);
    expect(refusal).toMatchObject({ code: 'QueueUnavailable', message });
    await redis.command('CONFIG', 'SET', 'requirepass', 'wrong-one');
    await addSoon(queue, 'web');
    await work.ran('web');
    expect(inspect([refusal, log.lines], { depth: 9, showHidden: true })).not.toContain('wrong-one');
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  test('and a user who may not run INFO is enough', async () => {
    const redis = await serve({ password });
    await redis.command('ACL', 'SETUSER', 'agent', 'on', '>pw', '~{setpoint}:*', '+@all', '-@admin', '-@dangerous');
    const { queue, log } = open(`redis://agent:pw@127.0.0.1:${redis.port}`);
    const work = witness();
    queue.start(work.handler);
    await queue.add('web');
    await queue.add('api', { delayMs: 1 });
    await work.ran('web');
    await work.ran('api');
    expect(log.lines.map(({ message }) => message)).toEqual([
      'the Redis user may not run INFO, so its eviction policy and version are not checked',
    ]);
  });
});

import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { describe, expect, test } from 'vitest';
import { witness } from '../contract/work-queue/witness.ts';
import { waitFor } from '../support/wait-for.ts';
import { connect, jobsLeft, open, prefix, serve } from './redis-queue/subject.ts';

const lockMs = 200;

describe('what others put in the place of the queue', () => {
  test.each([
    ['wait', 'SET'],
    ['active', 'SET'],
    ['delayed', 'SET'],
    ['marker', 'SET'],
    ['meta', 'SET'],
    ['events', 'SET'],
    ['id', 'LPUSH'],
    ['stalled', 'SET'],
    ['stalled-check', 'LPUSH'],
    ['prioritized', 'SET'],
    ['completed', 'SET'],
    ['failed', 'SET'],
    ['de:run:web', 'LPUSH'],
    ['de:later:web', 'LPUSH'],
    ['de:later:api', 'LPUSH'],
  ])('a value of the wrong type as %s is removed, and the queue goes on', async (part, command) => {
    const redis = await serve();
    const { queue, name } = open(redis.url, { lockMs });
    const work = witness();
    await redis.command(command, `${prefix}:${name}:${part}`, 'x');
    queue.start(work.handler);
    const sweep = async (): Promise<void> => {
      await queue.add('web');
      await queue.add('api', { delayMs: 1 });
    };
    await sweep();
    await waitFor(
      async () => {
        if (['web', 'api'].every((key) => work.keys().includes(key))) return true;
        await sweep();
        return false;
      },
      { what: 'both keys to run' },
    );
    await waitFor(
      async () => {
        const { waiting, delayed, underWay } = await queue.stats();
        return waiting + delayed + underWay === 0;
      },
      { what: 'the queue to be idle' },
    );
    expect(new Set(work.keys())).toEqual(new Set(['web', 'api']));
  });

  test('jobs of the wrong type do not keep those that were interrupted from running again', async () => {
    const redis = await serve();
    const { queue, name, said } = open(redis.url, { lockMs });
    const work = witness();
    for (const id of ['one', 'two', 'three']) {
      await redis.command('SET', `${prefix}:${name}:${id}`, 'x');
      await redis.command('LPUSH', `${prefix}:${name}:wait`, id);
    }
    for (const id of ['gone', '__proto__', 'constructor', '', '0:0', 'meta']) await redis.command('LPUSH', `${prefix}:${name}:wait`, id);
    queue.start(work.handler);
    await waitFor(() => said('Redis holds what Setpoint did not write') > 0, { what: 'a word about it' });
    await queue.add('web');
    await work.ran('web');
    await expect.poll(() => jobsLeft(redis)).toEqual([]);
    expect(work.keys()).toEqual(['web']);
  });

  test('what is added while the queue is being emptied is not thrown away with the rest', async () => {
    const redis = await serve();
    const { queue, name, said } = open(redis.url, { lockMs });
    const work = witness();
    const junk = Array.from({ length: 50_000 }, (_key, index) => [`${prefix}:${name}:junk-${index}`, 'x']);
    await connect(redis).mset(...junk.flat());
    // Hurts whoever takes a job, not whoever adds one.
    await redis.command('SET', `${prefix}:${name}:active`, 'x');
    queue.start(work.handler);
    await waitFor(() => said('Redis holds what Setpoint did not write') > 0, { what: 'a word about it' });
    const keys = Array.from({ length: 200 }, (_key, index) => `app-${index}`);
    for (const key of keys) await queue.add(key);
    await waitFor(() => new Set(work.keys()).size === keys.length, { what: 'every key to run' });
    await expect.poll(() => jobsLeft(redis)).toEqual([]);
  });

  test('a mark that interrupted work was just looked for, without an end, keeps nobody from looking', async () => {
    const redis = await serve();
    const name = `test-${randomUUID()}`;
    await redis.command('SET', `${prefix}:${name}:stalled-check`, '1');
    const { queue } = open(redis.url, { lockMs, name });
    await queue.add('web');
    const dead = new Worker(name, null, { connection: connect(redis), prefix, lockDuration: 100, autorun: false });
    await dead.getNextJob('dead', { block: false });
    await dead.close(true);
    const work = witness();
    queue.start(work.handler);
    await work.ran('web');
    expect(work.keys()).toEqual(['web']);
  });

  test('thousands of junk jobs are dropped with few words, and the work among them is done', async () => {
    const redis = await serve();
    const { queue, name, log } = open(redis.url, { lockMs });
    const hostile = new Queue(name, { connection: connect(redis), prefix });
    const junk = (index: number) => ({ name: `junk-${index}`, data: { key: `app-${index}` } });
    for (let batch = 0; batch < 5; batch += 1) await hostile.addBulk(Array.from({ length: 1_000 }, (_job, index) => junk(batch * 1_000 + index)));
    const work = witness();
    queue.start(work.handler);
    await queue.add('honest');
    await waitFor(() => work.keys().length > 0, { what: 'the honest key to run' });
    await waitFor(async () => (await jobsLeft(redis)).length === 0, { what: 'the junk to go' });
    expect(work.keys()).toEqual(['honest']);
    expect(log.lines.length).toBeLessThan(20);
  });

  test('keys that are huge, no texts, or names of prototypes never reach the handler', async () => {
    const redis = await serve();
    const { queue, name } = open(redis.url, { lockMs });
    const stranger = connect(redis);
    const hostile = new Queue(name, { connection: stranger, prefix });
    const texts = [
      '{"key":7}',
      '{"key":null}',
      '{"key":["web"]}',
      '{"key":{"toString":"web"}}',
      '{"__proto__":{"key":"web"}}',
      '{"constructor":{"prototype":{"key":"web"}}}',
      '{"key":"web","__proto__":{}}',
      '{"key":"web","more":1}',
      JSON.stringify({ key: 'x'.repeat(5_000_000) }),
      JSON.stringify({ key: ['x'.repeat(5_000_000)] }),
      '[]',
      'null',
      '"web"',
      '{"key":',
      '',
    ];
    for (const data of texts) {
      const job = await hostile.add('run', {});
      await stranger.hset(hostile.toKey(job.id ?? ''), 'data', data);
    }
    await hostile.add('x'.repeat(1_000_000), { key: 'web' });
    for (const opts of ['{', 'null', '7', '{"attempts":-1,"delay":"x","parent":7,"repeat":{"every":1}}']) {
      const job = await hostile.add('junk', { key: 'web' });
      await stranger.hset(hostile.toKey(job.id ?? ''), 'opts', opts);
    }
    const work = witness();
    queue.start(work.handler);
    await queue.add('__proto__');
    await queue.add('honest', { delayMs: 1 });
    await work.ran('__proto__');
    await work.ran('honest');
    await waitFor(async () => (await jobsLeft(redis)).length === 0, { what: 'the jobs to go' });
    expect(work.keys().toSorted()).toEqual(['__proto__', 'honest']);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test.each([
    { what: 'one that is gone', kind: 'run', keep: false },
    { what: 'one that is gone', kind: 'later', keep: false },
    { what: 'one that is in no list', kind: 'run', keep: true },
    { what: 'one that is in no list', kind: 'later', keep: true },
  ] as const)('a stray mark that a key has a $kind job, $what, does not swallow those that are added', async ({ kind, keep }) => {
    const redis = await serve();
    const { queue, name } = open(redis.url, { lockMs });
    const hostile = new Queue(name, { connection: connect(redis), prefix });
    const { id = '' } = await hostile.add(kind, { key: 'web' });
    await redis.command('LREM', `${prefix}:${name}:wait`, '0', id);
    if (!keep) await redis.command('DEL', `${prefix}:${name}:${id}`);
    await redis.command('SET', `${prefix}:${name}:de:${kind}:web`, id);
    const work = witness();
    queue.start(work.handler);
    await queue.add('web', kind === 'later' ? { delayMs: 1 } : {});
    await work.ran('web');
    await queue.add('web');
    await work.ran('web', 2);
    expect(work.keys()).toEqual(['web', 'web']);
  });

  test('a mark that leads to the job of another key does not swallow those that are added', async () => {
    const redis = await serve();
    const { queue, name } = open(redis.url, { lockMs });
    await queue.add('other');
    const other = String(await redis.command('GET', `${prefix}:${name}:de:run:other`));
    await redis.command('SET', `${prefix}:${name}:de:run:web`, other);
    await queue.add('web');
    const work = witness();
    queue.start(work.handler);
    await work.ran('web');
    await work.ran('other');
    expect(work.keys().toSorted()).toEqual(['other', 'web']);
  });

  test('a failed job that somebody kept does not swallow the next one', async () => {
    const redis = await serve();
    const { queue, name } = open(redis.url, { lockMs });
    const stranger = connect(redis);
    const hostile = new Queue(name, { connection: stranger, prefix });
    const deduplication = { id: 'run:web' };
    await hostile.add('run', { key: 'web' }, { deduplication, removeOnFail: false });
    const failing = new Worker(name, null, { connection: stranger, prefix, autorun: false });
    const taken = await failing.getNextJob('token', { block: false });
    await taken?.moveToFailed(new Error('kept'), 'token', false);
    await redis.command('SET', `${prefix}:${name}:de:run:web`, taken?.id ?? '');
    await failing.close(true);
    const work = witness();
    queue.start(work.handler);
    await queue.add('web');
    await work.ran('web');
    expect(work.keys()).toEqual(['web']);
  });
});

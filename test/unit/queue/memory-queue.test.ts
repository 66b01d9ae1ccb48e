import { expect, test } from 'vitest';
import { createMemoryQueue } from '../../../src/queue/index.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { manualClock } from './manual-clock.ts';

const backoff = { baseMs: 1_000, maxMs: 15 * 60_000 };

function createSubject(settings: { readonly concurrency?: number; readonly random?: () => number } = {}) {
  const clock = manualClock();
  const log = recordingLog();
  const { concurrency = 1, random = () => 1 } = settings;
  const queue = createMemoryQueue({ concurrency, backoff, log, random, now: clock.now, setTimer: clock.setTimer });
  return { clock, log, queue };
}

test('waits up to a second after a failure, twice as long after each further one, and at most 15 minutes', async () => {
  const { clock, queue } = createSubject();
  const starts: number[] = [];
  queue.start(async () => {
    starts.push(clock.now());
    throw new Error('down');
  });
  await queue.add('web');
  await clock.advance(3 * 3_600_000);
  const waits = starts.slice(1).map((start, index) => (start - (starts[index] ?? 0)) / 1_000);
  expect(waits.slice(0, 12)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  expect(waits.length).toBeGreaterThan(15);
});

test.each([
  [0, 0],
  [0.25, 250],
  [0.999, 999],
])('a failed key waits for the part of the limit that chance gives it: %d of it', async (chance, waitMs) => {
  const { clock, queue } = createSubject({ random: () => chance });
  const starts: number[] = [];
  queue.start(async () => {
    starts.push(clock.now());
    if (starts.length === 1) throw new Error('down');
  });
  await queue.add('web');
  await clock.advance(10_000);
  expect(starts).toEqual([0, waitMs]);
});

test('a success makes the next failure the first one again', async () => {
  const { clock, log, queue } = createSubject();
  const failing = [true, true, true, false, true, false];
  queue.start(async () => {
    if (failing.shift() === true) throw new Error('down');
  });
  await queue.add('web');
  await clock.advance(60_000);
  await queue.add('web');
  await clock.advance(60_000);
  expect(failing).toEqual([]);
  expect(log.lines.map(({ fields }) => fields)).toEqual(
    [1_000, 2_000, 4_000, 1_000].map((retryInMs, index) => ({
      key: 'web',
      failures: [1, 2, 3, 1][index],
      retryInMs,
      reason: 'down',
    })),
  );
});

test.each([
  { delays: [60_000, 1_000], runsAt: [1_000] },
  { delays: [1_000, 60_000], runsAt: [1_000] },
  { delays: [5_000, 0], runsAt: [0] },
  { delays: [0, 5_000], runsAt: [0] },
  { delays: [-5], runsAt: [0] },
  { delays: [Number.NaN], runsAt: [0] },
  // The longest time a timer can hold; it would fire at once when given more.
  { delays: [Number.POSITIVE_INFINITY, 1e12], runsAt: [2 ** 31 - 1] },
])('of the delays $delays the shortest counts', async ({ delays, runsAt }) => {
  const { clock, queue } = createSubject();
  const starts: number[] = [];
  for (const delayMs of delays) await queue.add('web', { delayMs });
  queue.start(async () => {
    starts.push(clock.now());
  });
  await clock.advance(2 ** 31);
  expect(starts).toEqual(runsAt);
  expect(clock.timers()).toBe(0);
});

test('a delay asked for during a run counts from the moment it was asked for', async () => {
  const { clock, queue } = createSubject();
  const gate = Promise.withResolvers<void>();
  const starts: number[] = [];
  queue.start(() => {
    starts.push(clock.now());
    return starts.length === 1 ? gate.promise : Promise.resolve();
  });
  await queue.add('web');
  await clock.advance(1_000);
  await queue.add('web', { delayMs: 10_000 });
  await clock.advance(4_000);
  gate.resolve();
  await clock.advance(60_000);
  expect(starts).toEqual([0, 11_000]);
});

test('keys are taken in the order in which they were added', async () => {
  const { clock, queue } = createSubject();
  const taken: string[] = [];
  for (const key of ['c', 'a', 'b', 'a']) await queue.add(key);
  queue.start(async (key) => {
    taken.push(key);
  });
  await clock.advance(0);
  expect(taken).toEqual(['c', 'a', 'b']);
});

test('close waits for the work under way, drops what waits, and leaves no timer behind', async () => {
  const { clock, log, queue } = createSubject();
  const gate = Promise.withResolvers<void>();
  const taken: string[] = [];
  queue.start((key) => {
    taken.push(key);
    return gate.promise;
  });
  await queue.add('web');
  await queue.add('api');
  await queue.add('db', { delayMs: 1_000 });
  await clock.advance(0);
  const closed = queue.close();
  const first = Promise.race([closed.then(() => 'closed'), clock.advance(9_999).then(() => 'waiting')]);
  await expect(first).resolves.toBe('waiting');
  await queue.add('told too late');
  gate.resolve();
  await closed;
  await clock.advance(60_000);
  expect(taken).toEqual(['web']);
  expect(clock.timers()).toBe(0);
  expect(log.lines).toEqual([]);
});

test('close stops waiting after ten seconds and names what it left behind', async () => {
  const { clock, log, queue } = createSubject();
  const endless = Promise.withResolvers<void>();
  queue.start(() => endless.promise);
  await queue.add('web');
  await clock.advance(0);
  const closed = queue.close();
  await clock.advance(10_000);
  await closed;
  const fields = { keys: ['web'], deadlineMs: 10_000 };
  expect(log.lines).toEqual([{ level: 'warn', message: 'work did not stop in time and was left behind', fields }]);
});

test('work that fails because the queue closes is not tried again', async () => {
  const { clock, log, queue } = createSubject();
  queue.start(async (_key, signal) => {
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
  });
  await queue.add('web');
  await clock.advance(0);
  await queue.close();
  expect(clock.timers()).toBe(0);
  expect(log.lines).toEqual([]);
});

test('ten thousand keys may wait, and not one more', async () => {
  const { log, queue } = createSubject();
  for (let index = 0; index < 10_000; index += 1) await queue.add(`app-${index}`, { delayMs: index % 2 });
  for (const key of ['one', 'two']) await expect(queue.add(key)).rejects.toMatchObject({ code: 'QueueUnavailable' });
  await expect(queue.add('app-1')).resolves.toBeUndefined();
  expect(log.lines).toMatchObject([{ level: 'error', fields: { waiting: 10_000, refused: 1 } }]);
});

test('stats tell how long the oldest key that could run has been waiting', async () => {
  const { clock, queue } = createSubject();
  await queue.add('delayed', { delayMs: 5_000 });
  await clock.advance(1_000);
  await queue.add('web');
  await clock.advance(3_000);
  expect(await queue.stats()).toEqual({ waiting: 1, delayed: 1, underWay: 0, oldestWaitingMs: 3_000 });
  await clock.advance(3_000);
  expect(await queue.stats()).toEqual({ waiting: 2, delayed: 0, underWay: 0, oldestWaitingMs: 6_000 });
});

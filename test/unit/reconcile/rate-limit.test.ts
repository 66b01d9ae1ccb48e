import { expect, test } from 'vitest';
import { createRateLimit } from '../../../src/reconcile/rate-limit.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { manualClock } from '../queue/manual-clock.ts';

const never = new AbortController().signal;

function createSubject(settings: { readonly perSecond: number; readonly burst: number }) {
  const clock = manualClock();
  const limit = createRateLimit({ ...settings, now: clock.now, setTimer: clock.setTimer });
  const taken: { readonly who: string; readonly at: number }[] = [];
  const take = async (who: string, signal = never): Promise<void> => {
    await limit.take(signal);
    taken.push({ who, at: clock.now() });
  };
  return { clock, limit, taken, take };
}

test('lets a burst through at once and the rest in their order, one step apart', async () => {
  const { clock, take, taken } = createSubject({ perSecond: 10, burst: 3 });
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((who) => take(who));
  await clock.advance(1_000);
  await Promise.all(all);
  expect(taken).toEqual([
    { who: 'a', at: 0 },
    { who: 'b', at: 0 },
    { who: 'c', at: 0 },
    { who: 'd', at: 100 },
    { who: 'e', at: 200 },
    { who: 'f', at: 300 },
  ]);
  expect(clock.timers()).toBe(0);
});

test.each([
  { quietMs: 0, atOnce: 0 },
  { quietMs: 99, atOnce: 0 },
  { quietMs: 100, atOnce: 1 },
  { quietMs: 250, atOnce: 2 },
  { quietMs: 3_600_000, atOnce: 3 },
])('after $quietMs ms of quiet $atOnce more go at once', async ({ quietMs, atOnce }) => {
  const { clock, take, taken } = createSubject({ perSecond: 10, burst: 3 });
  await Promise.all(['a', 'b', 'c'].map((who) => take(who)));
  await clock.advance(quietMs);
  const more = ['d', 'e', 'f', 'g'].map((who) => take(who));
  await clock.advance(0);
  expect(taken).toHaveLength(3 + atOnce);
  await clock.advance(1_000);
  await Promise.all(more);
});

test('who comes later does not overtake who waits', async () => {
  const { clock, take, taken } = createSubject({ perSecond: 1, burst: 1 });
  const all = [take('a'), take('b')];
  await clock.advance(999);
  all.push(take('c'));
  await clock.advance(5_000);
  await Promise.all(all);
  expect(taken.map(({ who, at }) => `${who} ${at}`)).toEqual(['a 0', 'b 1000', 'c 2000']);
});

test.each([
  { leaves: 'the first', index: 1, left: ['a 0', 'c 1000', 'd 2000'] },
  { leaves: 'the second', index: 2, left: ['a 0', 'b 1000', 'd 2000'] },
])('$leaves who waits may leave, and the others move up', async ({ index, left }) => {
  const { clock, take, taken } = createSubject({ perSecond: 1, burst: 1 });
  const leaver = new AbortController();
  const all = ['a', 'b', 'c', 'd'].map((who, place) => take(who, place === index ? leaver.signal : never));
  const outcomes = Promise.allSettled(all);
  await clock.advance(500);
  leaver.abort(new Error('gone home'));
  await clock.advance(5_000);
  expect((await outcomes)[index]).toMatchObject({ status: 'rejected', reason: { message: 'gone home' } });
  expect(taken.map(({ who, at }) => `${who} ${at}`)).toEqual(left);
});

test('the last one who leaves takes the timer along', async () => {
  const { clock, take } = createSubject({ perSecond: 1, burst: 1 });
  const leaver = new AbortController();
  await take('a');
  const refused = Promise.allSettled([take('b', leaver.signal)]);
  await clock.advance(0);
  expect(clock.timers()).toBe(1);
  leaver.abort(new Error('gone home'));
  await expect(refused).resolves.toMatchObject([{ status: 'rejected', reason: { message: 'gone home' } }]);
  expect(clock.timers()).toBe(0);
});

test('who is aborted before does not even queue', async () => {
  const { limit, take, taken } = createSubject({ perSecond: 1, burst: 1 });
  await expect(limit.take(AbortSignal.abort(new Error('gone home')))).rejects.toThrow('gone home');
  await take('a');
  expect(taken).toEqual([{ who: 'a', at: 0 }]);
});

test('an abort after the turn came changes nothing', async () => {
  const { clock, take, taken } = createSubject({ perSecond: 1, burst: 1 });
  const late = new AbortController();
  await take('a', late.signal);
  late.abort();
  const next = take('b');
  await clock.advance(1_000);
  await next;
  expect(taken.map(({ at }) => at)).toEqual([0, 1_000]);
});

test('a timer that fires early is not taken for the time', async () => {
  let time = 0;
  const timers: (() => void)[] = [];
  const setTimer = (callback: () => void): (() => void) => {
    timers.push(callback);
    return () => undefined;
  };
  const limit = createRateLimit({ perSecond: 1, burst: 1, now: () => time, setTimer });
  await limit.take(never);
  const waiting = limit.take(never).then(() => 'served');
  const settled = new Promise((resolve) => setImmediate(() => resolve('waits')));
  time = 999;
  timers.shift()?.();
  await expect(Promise.race([waiting, settled])).resolves.toBe('waits');
  time = 1_000;
  timers.shift()?.();
  await expect(waiting).resolves.toBe('served');
});

test('whatever comes when, no stretch of time sees more than the burst and the rate allow', async () => {
  const random = seededRandom();
  const [perSecond, burst] = [7, 5];
  const { clock, take, taken } = createSubject({ perSecond, burst });
  const calls: Promise<void>[] = [];
  for (let round = 0; round < 300; round += 1) {
    for (let count = random.below(4); count > 0; count -= 1) calls.push(take(String(calls.length)));
    await clock.advance(random.below(500));
  }
  await clock.advance(3_600_000);
  await Promise.all(calls);
  expect(taken.map(({ who }) => Number(who))).toEqual(calls.map((_call, index) => index));
  const stepMs = 1_000 / perSecond;
  const tooMany = taken.flatMap((last, end) =>
    taken.slice(0, end).filter((first, begin) => {
      const allowed = burst + (last.at - first.at) / stepMs;
      return end - begin + 1 > allowed + 1e-6;
    }),
  );
  expect(tooMany, `seed ${random.seed}`).toEqual([]);
});

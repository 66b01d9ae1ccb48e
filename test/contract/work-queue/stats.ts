import { describe, expect, test } from 'vitest';
import { waitFor } from '../../support/wait-for.ts';
import { hour, never, type OpenQueue } from './settings.ts';
import { witness } from './witness.ts';

const nothing = { waiting: 0, delayed: 0, underWay: 0, oldestWaitingMs: 0 };

export function testStats(open: OpenQueue): void {
  describe('stats', () => {
    test('of an empty queue are zero', async () => {
      expect(await open().stats()).toEqual(nothing);
    });

    test('count what waits, what waits for its time and what is under way', async () => {
      const queue = open({ concurrency: 1 });
      const work = witness({ hold: ['web'] });
      queue.start(work.handler);
      await queue.add('web');
      await work.started('web');
      for (const key of ['api', 'db', 'api', 'web']) await queue.add(key);
      await queue.add('delayed', { delayMs: hour });
      expect(await queue.stats()).toMatchObject({ waiting: 2, delayed: 1, underWay: 1 });
      work.release('web');
      await work.ran('web', 2);
      await work.ran('db');
      await waitFor(async () => (await queue.stats()).underWay === 0, { what: 'the work to be done' });
      expect(await queue.stats()).toEqual({ ...nothing, delayed: 1 });
    });

    test('count a key that failed as one that waits for its time', async () => {
      const queue = open({ backoff: never });
      const work = witness({ fail: () => true });
      queue.start(work.handler);
      await queue.add('web');
      await waitFor(async () => (await queue.stats()).delayed === 1, { what: 'the next try to be counted' });
      await waitFor(async () => (await queue.stats()).underWay === 0, { what: 'the work to be over' });
      expect(await queue.stats()).toEqual({ ...nothing, delayed: 1 });
    });

    test('tell how long the oldest has been waiting', async () => {
      const queue = open();
      await queue.add('web');
      const from = performance.now();
      await queue.add('api');
      await waitFor(async () => (await queue.stats()).oldestWaitingMs >= 100, { what: 'a tenth of a second' });
      // Clocks with whole milliseconds may be one ahead, and the first key was there a little earlier.
      expect(performance.now() - from).toBeGreaterThanOrEqual(80);
    });
  });
}

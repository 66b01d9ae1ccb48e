import { describe, expect, test } from 'vitest';
import { hour, type OpenQueue } from './settings.ts';
import { witness } from './witness.ts';

export function testDelays(open: OpenQueue): void {
  describe('delays', () => {
    test('a delayed key is not worked on before its time', async () => {
      const queue = open();
      const work = witness();
      queue.start(work.handler);
      const added = performance.now();
      await queue.add('web', { delayMs: 60 });
      await work.ran('web');
      // Clocks with whole milliseconds may be one ahead.
      expect((work.runs[0]?.startedAt ?? 0) - added).toBeGreaterThanOrEqual(59);
    });

    test('a delayed key that is added without a delay runs at once, and only once', async () => {
      const queue = open();
      const work = witness();
      queue.start(work.handler);
      await queue.add('web', { delayMs: 500 });
      await queue.add('web');
      await work.ran('web');
      await queue.add('after the delay', { delayMs: 600 });
      await work.ran('after the delay');
      expect(work.keys()).toEqual(['web', 'after the delay']);
    });

    test.each([
      ['given last', [hour, 30]],
      ['given first', [30, hour]],
      ['between two longer ones', [2 * hour, 30, hour]],
    ])('the shortest of several delays counts: %s', async (_where, delays) => {
      const queue = open();
      const work = witness();
      queue.start(work.handler);
      for (const delayMs of delays) await queue.add('web', { delayMs });
      await work.ran('web');
      expect(work.keys()).toEqual(['web']);
    });

    test('of many delays asked for at once the shortest counts', async () => {
      const queue = open();
      const work = witness();
      queue.start(work.handler);
      await Promise.all([3, 30, 2, 4, 5].map((hours) => queue.add('web', { delayMs: hours * hour })));
      await queue.add('web', { delayMs: 20 });
      await Promise.all([hour, 2 * hour].map((delayMs) => queue.add('web', { delayMs })));
      await work.ran('web');
      expect(work.keys()).toEqual(['web']);
    });

    test('a delay asked for during a run counts from then, and does not replace a wish to run at once', async () => {
      const queue = open();
      const work = witness({ hold: ['web', 'api'] });
      queue.start(work.handler);
      await queue.add('web');
      await queue.add('api');
      await work.started('web');
      await work.started('api');
      await queue.add('web');
      await queue.add('web', { delayMs: hour });
      await queue.add('api', { delayMs: hour });
      await queue.add('api', { delayMs: 20 });
      work.release('web');
      work.release('api');
      await work.ran('web', 2);
      await work.ran('api', 2);
      expect(work.keys().toSorted()).toEqual(['api', 'api', 'web', 'web']);
    });

    test('a delay longer than a timer can hold is not taken for no delay', async () => {
      const queue = open();
      const work = witness();
      queue.start(work.handler);
      await queue.add('much later', { delayMs: 1e12 });
      await queue.add('soon', { delayMs: 50 });
      await work.ran('soon');
      expect(work.keys()).toEqual(['soon']);
    });
  });
}

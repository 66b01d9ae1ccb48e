import { describe, expect, test } from 'vitest';
import { recordingLog } from '../../support/recording-log.ts';
import { waitFor } from '../../support/wait-for.ts';
import { never, soon, type OpenQueue } from './settings.ts';
import { witness } from './witness.ts';

export function testFailures(open: OpenQueue): void {
  describe('failures', () => {
    test('a key that fails is tried again until it succeeds, and then no more', async () => {
      const queue = open();
      const work = witness({ fail: ({ key, count }) => key === 'web' && count < 6 });
      queue.start(work.handler);
      await queue.add('web');
      await work.ran('web', 6);
      await queue.add('after the longest wait', { delayMs: 2 * soon.maxMs });
      await work.ran('after the longest wait');
      expect(work.keys().filter((key) => key === 'web')).toHaveLength(6);
    });

    test('the waits double up to a limit and start again after a success', async () => {
      const log = recordingLog();
      const queue = open({ log, random: () => 1, backoff: { baseMs: 4, maxMs: 20 } });
      const work = witness({ fail: ({ count }) => count !== 5 && count < 8 });
      queue.start(work.handler);
      await queue.add('web');
      await work.ran('web', 5);
      await queue.add('web');
      await work.ran('web', 8);
      const waits = log.lines.filter(({ message }) => message === 'work failed and is tried again');
      expect(waits.map(({ fields }) => fields['retryInMs'])).toEqual([4, 8, 16, 20, 4, 8]);
      expect(waits[0]?.fields).toMatchObject({ key: 'web', failures: 1, reason: 'web does not work' });
    });

    test('a failure that says so is tried again sooner, and counted apart', async () => {
      const log = recordingLog();
      const queue = open({ log, random: () => 1, backoff: { baseMs: 20, maxMs: 60, soonMs: 3 } });
      const conflicts = [true, true, false, true, true, false, undefined, true];
      queue.start(async () => {
        const isConflict = conflicts.shift();
        if (isConflict !== undefined) throw Object.assign(new Error('no'), isConflict ? { retry: 'soon' } : { retry: 'later' });
      });
      await queue.add('web');
      await waitFor(() => conflicts.length === 1, { what: 'a success' });
      await queue.add('web');
      await waitFor(() => log.lines.length === 7, { what: 'a word about each failure' });
      const waits = log.lines.map(({ fields }) => [fields['failures'], fields['retryInMs']]);
      expect(waits).toEqual([[1, 3], [2, 6], [1, 20], [3, 12], [4, 24], [2, 40], [1, 3]]);
    });

    test('a failure of one key does not hold up another', async () => {
      const queue = open({ concurrency: 1, backoff: never });
      const work = witness({ fail: ({ key }) => key === 'web' });
      queue.start(work.handler);
      await queue.add('web');
      await queue.add('api');
      await work.ran('api');
      expect(work.keys()).toEqual(['web', 'api']);
    });

    test('a key that waits for its next try runs at once when it is added', async () => {
      const queue = open({ backoff: never });
      const work = witness({ fail: ({ count }) => count === 1 });
      queue.start(work.handler);
      await queue.add('web');
      await work.failed('web');
      await queue.add('web');
      await work.ran('web', 2);
      expect(work.keys()).toEqual(['web', 'web']);
    });

    test('a delay shorter than the wait for the next try counts', async () => {
      const queue = open({ backoff: never });
      const work = witness({ fail: ({ count }) => count === 1 });
      queue.start(work.handler);
      await queue.add('web');
      await work.failed('web');
      await queue.add('web', { delayMs: 20 });
      await work.ran('web', 2);
      expect(work.keys()).toEqual(['web', 'web']);
    });

    test('a key that was added during a run that fails runs at once', async () => {
      const queue = open({ backoff: never });
      const work = witness({ hold: ['web'], fail: ({ count }) => count === 1 });
      queue.start(work.handler);
      await queue.add('web');
      await work.started('web');
      await queue.add('web');
      work.release('web');
      await work.ran('web', 2);
      expect(work.keys()).toEqual(['web', 'web']);
    });
  });
}

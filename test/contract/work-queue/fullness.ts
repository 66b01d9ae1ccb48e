import { describe, expect, test } from 'vitest';
import { recordingLog } from '../../support/recording-log.ts';
import { hour, never, type OpenQueue } from './settings.ts';
import { witness } from './witness.ts';

const full = { code: 'QueueUnavailable', message: 'The work queue is full: 3 keys wait in it, and no more may.' };

export function testFullness(open: OpenQueue): void {
  describe('a full queue', () => {
    test('refuses keys that are new to it, with a word in the log, until there is room', async () => {
      const log = recordingLog();
      const queue = open({ log, maxWaiting: 3 });
      await queue.add('a');
      await queue.add('b');
      await queue.add('delayed', { delayMs: hour });
      for (let times = 0; times < 5; times += 1) await expect(queue.add('c')).rejects.toMatchObject(full);
      await expect(queue.add('c', { delayMs: 1 })).rejects.toMatchObject(full);
      expect(log.lines).toEqual([
        { level: 'error', message: 'the work queue is full and refuses keys', fields: { waiting: 3, refused: 1 } },
      ]);
      const work = witness();
      queue.start(work.handler);
      await work.ran('a');
      await work.ran('b');
      await queue.add('c');
      await work.ran('c');
    });

    test('takes keys that wait in it already, and those under way', async () => {
      const queue = open({ concurrency: 1, maxWaiting: 3 });
      const work = witness({ hold: ['web'] });
      queue.start(work.handler);
      await queue.add('web');
      await work.started('web');
      await queue.add('a');
      await queue.add('b');
      await queue.add('delayed', { delayMs: hour });
      await expect(queue.add('c')).rejects.toMatchObject(full);
      await queue.add('a');
      await queue.add('web');
      await queue.add('delayed', { delayMs: 1 });
      work.release('web');
      await work.ran('web', 2);
      await work.ran('delayed');
      expect(work.keys().toSorted()).toEqual(['a', 'b', 'delayed', 'web', 'web']);
    });

    test('does not lose a key that fails', async () => {
      const queue = open({ concurrency: 1, maxWaiting: 1, backoff: { ...never, soonMs: 1 } });
      const work = witness({ hold: ['web'] });
      queue.start(async (key, signal) => {
        await work.handler(key, signal);
        if (work.runs.filter((run) => run.key === 'web').length < 3) throw Object.assign(new Error('no'), { retry: 'soon' });
      });
      await queue.add('web');
      await work.started('web');
      await queue.add('delayed', { delayMs: hour });
      work.release('web');
      await work.ran('web', 3);
      expect(work.keys()).toEqual(['web', 'web', 'web']);
    });
  });
}

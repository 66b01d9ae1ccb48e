import { describe, expect, test } from 'vitest';
import { recordingLog } from '../../support/recording-log.ts';
import { hour, type OpenQueue } from './settings.ts';
import { witness } from './witness.ts';

export function testClosing(open: OpenQueue): void {
  describe('closing', () => {
    test('waits for the work under way and aborts its signal', async () => {
      const queue = open();
      const work = witness({ hold: ['web'] });
      queue.start(work.handler);
      await queue.add('web');
      const run = await work.started('web');
      expect(run.signal.aborted).toBe(false);
      const closed = queue.close();
      expect(run.signal.aborted).toBe(true);
      work.release('web');
      await closed;
      expect(run.ended).toBe(true);
    });

    test('does not wait for ever for work that does not listen', async () => {
      const log = recordingLog();
      const queue = open({ log, closeDeadlineMs: 50 });
      const work = witness({ hold: ['web'] });
      queue.start(work.handler);
      await queue.add('web');
      const run = await work.started('web');
      await queue.close();
      expect(run.ended).toBe(false);
      expect(log.lines.at(-1)).toMatchObject({ level: 'warn', fields: { keys: ['web'] } });
      work.release('web');
    });

    test('takes no more keys', async () => {
      const queue = open({ concurrency: 1 });
      const work = witness({ hold: ['web'] });
      queue.start(work.handler);
      await queue.add('web');
      await work.started('web');
      await queue.add('api');
      await queue.add('delayed', { delayMs: 1 });
      const closed = queue.close();
      work.release('web');
      await closed;
      expect(work.keys()).toEqual(['web']);
    });

    test('can be asked for twice, before any start, and leaves a queue that takes nothing', async () => {
      const queue = open();
      await Promise.all([queue.close(), queue.close()]);
      await queue.close();
      await expect(queue.add('web')).rejects.toMatchObject({ code: 'QueueUnavailable' });
    });

    test('in peace is not worth a line in the log', async () => {
      const log = recordingLog();
      const queue = open({ log });
      const work = witness();
      queue.start(work.handler);
      await queue.add('web');
      await work.ran('web');
      await queue.add('later', { delayMs: hour });
      await queue.close();
      expect(log.lines).toEqual([]);
    });
  });
}

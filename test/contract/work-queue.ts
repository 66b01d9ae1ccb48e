import { onTestFinished } from 'vitest';
import { recordingLog } from '../support/recording-log.ts';
import { testAdding } from './work-queue/adding.ts';
import { testClosing } from './work-queue/closing.ts';
import { testDelays } from './work-queue/delays.ts';
import { testFailures } from './work-queue/failures.ts';
import { testFullness } from './work-queue/fullness.ts';
import { testUnderLoad } from './work-queue/load.ts';
import { testStats } from './work-queue/stats.ts';
import { soon, type CreateQueue, type OpenQueue } from './work-queue/settings.ts';

/** What every WorkQueue promises, whatever it is made of. */
export function testWorkQueue(createQueue: CreateQueue): void {
  const open = openWith(createQueue);
  testAdding(open);
  testDelays(open);
  testFailures(open);
  testFullness(open);
  testStats(open);
  testClosing(open);
  testUnderLoad(open);
}

export function openWith(createQueue: CreateQueue): OpenQueue {
  return (settings = {}) => {
    const defaults = { concurrency: 4, backoff: soon, log: recordingLog(), random: () => 0.99 };
    const queue = createQueue({ ...defaults, closeDeadlineMs: 2_000, maxWaiting: 1_000, ...settings });
    onTestFinished(() => queue.close());
    return queue;
  };
}

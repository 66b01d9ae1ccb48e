import { onTestFinished } from 'vitest';
import { recordingLog } from '../support/recording-log.ts';
import { testAdding } from './work-queue/adding.ts';
import { testClosing } from './work-queue/closing.ts';
import { testDelays } from './work-queue/delays.ts';
import { testFailures } from './work-queue/failures.ts';
import { testUnderLoad } from './work-queue/load.ts';
import { soon, type CreateQueue, type OpenQueue } from './work-queue/settings.ts';

/** What every WorkQueue promises, whatever it is made of. */
export function testWorkQueue(createQueue: CreateQueue): void {
  const open = openWith(createQueue);
  testAdding(open);
  testDelays(open);
  testFailures(open);
  testClosing(open);
  testUnderLoad(open);
}

export function openWith(createQueue: CreateQueue): OpenQueue {
  return (settings = {}) => {
    const defaults = { concurrency: 4, backoff: soon, log: recordingLog(), random: () => 0.99, closeDeadlineMs: 2_000 };
    const queue = createQueue({ ...defaults, ...settings });
    onTestFinished(() => queue.close());
    return queue;
  };
}

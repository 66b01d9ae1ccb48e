import { createRareWord } from './rare-word.ts';
import type { RedisJobs } from './redis-jobs.ts';
import { fullError, fullEveryMs, type QueueLog } from './work-queue.ts';

interface RoomOptions {
  readonly jobs: Pick<RedisJobs, 'count' | 'isWanted'>;
  readonly maxWaiting: number;
  readonly log: QueueLog;
}

/** Whether a shared queue has room for one key more. Throws when it has not. */
export interface Room {
  check(key: string): Promise<void>;
}

// So many adds for one count; others may add as many meanwhile.
const countEvery = 100;

export function createRoom({ jobs, maxWaiting, log }: RoomOptions): Room {
  const sayFull = createRareWord(fullEveryMs, () => performance.now());
  let left = 0;
  let counting: Promise<number> | undefined;

  /** One at a time, for all who wait for it. */
  async function count(): Promise<number> {
    try {
      const waiting = await jobs.count();
      left = Math.min(countEvery, maxWaiting - waiting);
      return waiting;
    } finally {
      counting = undefined;
    }
  }

  return {
    async check(key) {
      while (left <= 0) {
        counting ??= count();
        if ((await counting) < maxWaiting) continue;
        if (await jobs.isWanted(key)) return;
        sayFull((refused) => log.error('the work queue is full and refuses keys', { waiting: maxWaiting, refused }));
        throw fullError(maxWaiting);
      }
      left -= 1;
    },
  };
}

import { SetpointError } from '../../../src/model/index.ts';
import { createMemoryQueue, type WorkQueue } from '../../../src/queue/index.ts';
import type { Clock } from '../../../src/reconcile/index.ts';
import type { KeyStore } from '../world/key-store.ts';

/** The queue of one destination in one term. Where there is a store, it takes over what waits there, and what is no longer there is forgotten. */
export function createDeliveryQueue(name: string, store: KeyStore, { random, setTimer, monotonic }: Clock): WorkQueue {
  const queue = createMemoryQueue({ concurrency: 1, backoff: { baseMs: 5_000, maxMs: 15 * 60_000 }, random, setTimer, now: monotonic });
  const stored = store.keysOf(name);
  if (stored === undefined) return queue;
  return {
    ...queue,
    async add(key) {
      if (store.isRefused()) throw new SetpointError('QueueUnavailable', 'the store of keys does not answer');
      stored.add(key);
      await queue.add(key);
    },
    start(handler) {
      for (const key of stored) void queue.add(key);
      queue.start(async (key, signal) => {
        if (!stored.delete(key)) return;
        try {
          await handler(key, signal);
        } catch (error) {
          stored.add(key);
          throw error;
        }
      });
    },
  };
}

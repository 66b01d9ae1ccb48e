import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './redis-connect.ts';
import { reasonOf, type QueueLog } from './work-queue.ts';

export interface RedisHealing {
  /** Done when what was wrong has been removed; false where the error has another cause, or the last time was just now. */
  heal(error: unknown): Promise<boolean>;
  /** Asks when nothing is being removed, and again where something was meanwhile: what was asked for may be gone with it. */
  around<T>(question: () => Promise<T>): Promise<T>;
}

interface HealingOptions {
  readonly redis: RedisClient;
  /** Begins the names of all that Redis keeps for the queue. */
  readonly prefix: string;
  readonly log: QueueLog;
}

// Whoever breaks it again and again does not keep us busy with it.
const againMs = 5_000;

/**
 * A value of the wrong type under one of its names stops a queue for good: BullMQ's scripts end at it, halfway. Redis
 * holds no more than an index, so all of it is thrown away; whoever started the queue adds every key again.
 */
export function createRedisHealing({ redis, prefix, log }: HealingOptions): RedisHealing {
  let healing: Promise<void> | undefined;
  let healed = 0;
  let healedAt = Number.NEGATIVE_INFINITY;

  async function clear(): Promise<void> {
    try {
      log.error('Redis holds what Setpoint did not write in the place of the queue: emptying it', { queue: prefix });
      const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
      // Twice: until its lists are gone, a worker may take from them and leave a mark behind the place that was looked at.
      for (const node of [...nodes, ...nodes]) await clearNode(node, prefix);
      healedAt = performance.now();
    } finally {
      healed += 1;
      healing = undefined;
    }
  }

  async function heal(error: unknown): Promise<boolean> {
    if (!reasonOf(error).startsWith('WRONGTYPE')) return false;
    if (healing === undefined && performance.now() - healedAt < againMs) return false;
    healing ??= clear();
    await healing;
    return true;
  }

  return {
    heal,
    async around(question) {
      for (;;) {
        await healing;
        const before = healed;
        try {
          const answer = await question();
          if (healing === undefined && healed === before) return answer;
        } catch (error) {
          if (healed === before && !(await heal(error))) throw error;
        }
      }
    },
  };
}

async function clearNode(redis: Redis, prefix: string): Promise<void> {
  let cursor = '0';
  do {
    const [next, names] = await redis.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', 1_000);
    if (names.length > 0) await redis.unlink(...names);
    cursor = next;
  } while (cursor !== '0');
}

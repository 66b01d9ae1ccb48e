import { Queue } from 'bullmq';
import { Cluster } from 'ioredis';
import { SetpointError } from '../model/index.ts';
import { parseRedisUrl } from './redis-address.ts';
import type { RedisClient } from './redis-connect.ts';
import { createRedisLink } from './redis-link.ts';
import { queuePrefix, type RedisQueueOptions } from './redis-queue.ts';
import { redisReason } from './redis-reason.ts';

export interface RedisWaitingOptions extends Pick<RedisQueueOptions, 'url' | 'env' | 'log'> {
  /** Begins the names of the queues that are asked about. */
  readonly begin: string;
}

/** How much waits in all queues whose names begin alike, delayed work included. Nothing is written. */
export async function waitingInRedis({ url, env = process.env, log, begin }: RedisWaitingOptions): Promise<number> {
  const address = parseRedisUrl(url, env);
  const link = createRedisLink({ address, log, onUsable: () => undefined });
  try {
    const away = await link.whyAway();
    if (away !== undefined) throw new SetpointError('QueueUnavailable', `Redis at ${address.shown} did not take the work: ${away}`);
    let waiting = 0;
    for (const name of await queueNames(link.connection, begin)) waiting += await waitingIn(name, link.connection);
    return waiting;
  } catch (error) {
    if (error instanceof SetpointError) throw error;
    // Without a cause: ioredis puts the password into its errors.
    throw new SetpointError('QueueUnavailable', `Redis at ${address.shown} did not answer: ${address.hideSecrets(redisReason(error))}`);
  } finally {
    await link.close();
  }
}

async function waitingIn(name: string, connection: RedisClient): Promise<number> {
  const queue = new Queue(name, { connection, prefix: queuePrefix, skipVersionCheck: true, skipMetasUpdate: true });
  // What is wrong with the connection is told by what is asked.
  queue.on('error', () => undefined);
  try {
    return await queue.getJobCountByTypes('waiting', 'delayed');
  } finally {
    await queue.close();
  }
}

/** BullMQ leaves one record of this name for each queue. */
async function queueNames(redis: RedisClient, begin: string): Promise<ReadonlySet<string>> {
  const [before, after] = [`${queuePrefix}:`, ':meta'];
  const names = new Set<string>();
  for (const node of redis instanceof Cluster ? redis.nodes('master') : [redis]) {
    let cursor = '0';
    do {
      const [next, keys] = await node.scan(cursor, 'MATCH', `${before}${begin}*${after}`, 'COUNT', 1_000);
      for (const key of keys) names.add(key.slice(before.length, -after.length));
      cursor = next;
    } while (cursor !== '0');
  }
  return names;
}

import { Cluster } from 'ioredis';
import type { RedisClient } from './redis-connect.ts';
import { reasonOf, type QueueLog } from './work-queue.ts';

/** `withoutInfo`: the Redis user may not run INFO, so nothing is known about the server. */
export type ServerCheck = 'checked' | 'withoutInfo';

type Info = ReadonlyMap<string, string>;

const oldest = [6, 2] as const;

/** Says loudly what in the server's set-up will lose work. Throws when the server cannot be asked, or takes no work. */
export async function checkServer(redis: RedisClient, log: QueueLog): Promise<ServerCheck> {
  let infos: readonly Info[];
  try {
    infos = redis instanceof Cluster ? await clusterInfos(redis) : [parseInfo(await redis.info())];
  } catch (error) {
    if (!reasonOf(error).includes('NOPERM')) throw error;
    log.warn('the Redis user may not run INFO, so its eviction policy and version are not checked');
    return 'withoutInfo';
  }
  if (infos.some((info) => info.get('loading') === '1')) throw new Error('it is still loading its data');
  // Of a cluster only masters are asked. Sentinels may name the old master for a while.
  if (infos.some((info) => info.get('role') === 'slave')) throw new Error('it is a replica, which takes no work');
  const policy = infos.map((info) => info.get('maxmemory_policy')).find((one) => one !== undefined && one !== 'noeviction');
  if (policy !== undefined) {
    log.error('Redis may throw queued work away when memory is short: set maxmemory-policy noeviction', { policy });
  }
  const version = infos.map((info) => info.get('redis_version')).find((one) => one !== undefined && isOlder(one));
  if (version !== undefined) log.error('Redis is too old for the queue', { version, wanted: oldest.join('.') });
  return 'checked';
}

/** Those that answer are enough: which of them keeps the queue may change at any time. */
async function clusterInfos(cluster: Cluster): Promise<Info[]> {
  const state = parseInfo(await cluster.cluster('INFO')).get('cluster_state');
  if (state === 'fail') throw new Error('the cluster is down: some of its slots are served by no node');
  const answers = await Promise.allSettled(cluster.nodes('master').map((node) => node.info()));
  const texts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const refusal = answers.find((answer) => answer.status === 'rejected');
  if (texts.length === 0 && refusal !== undefined) throw refusal.reason;
  return texts.map(parseInfo);
}

function parseInfo(text: string): Info {
  return new Map(
    text.split(/\r?\n/).map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1)];
    }),
  );
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
}

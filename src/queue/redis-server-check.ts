import type { Redis } from 'ioredis';
import { reasonOf, type QueueLog } from './work-queue.ts';

/** `withoutInfo`: the Redis user may not run INFO, so nothing is known about the server. */
export type ServerCheck = 'checked' | 'withoutInfo';

const oldest = [6, 2] as const;

/** Says loudly what in the server's set-up will lose work. Throws when the server cannot be asked. */
export async function checkServer(redis: Redis, log: QueueLog): Promise<ServerCheck> {
  let text: string;
  try {
    text = await redis.info();
  } catch (error) {
    if (!reasonOf(error).includes('NOPERM')) throw error;
    log.warn('the Redis user may not run INFO, so its eviction policy and version are not checked');
    return 'withoutInfo';
  }
  const info = new Map(
    text.split(/\r?\n/).map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1)];
    }),
  );
  if (info.get('loading') === '1') throw new Error('it is still loading its data');
  const policy = info.get('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    log.error('Redis may throw queued work away when memory is short: set maxmemory-policy noeviction', { policy });
  }
  const version = info.get('redis_version');
  if (version !== undefined && isOlder(version)) {
    log.error('Redis is too old for the queue', { version, wanted: oldest.join('.') });
  }
  return 'checked';
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
}

import { waitFor } from '../../support/wait-for.ts';
import { startRedisProcess, type RedisProcess } from './redis-process.ts';

export interface SentinelSetup {
  readonly master: RedisProcess;
  readonly replica: RedisProcess;
  readonly sentinels: readonly RedisProcess[];
  readonly hosts: string;
}

export interface SentinelPasswords {
  readonly server: string;
  readonly sentinel: string;
}

export const masterName = 'my-master';

/** A master, its replica and three Sentinels that watch them. */
export async function startSentinels(passwords: SentinelPasswords): Promise<SentinelSetup> {
  const { server, sentinel } = passwords;
  const data = ['save ""', `requirepass ${server}`, `masterauth ${server}`];
  const login = { password: server };
  const master = await startRedisProcess({ settings: () => data, login });
  const settings = (): string[] => [...data, `replicaof 127.0.0.1 ${master.port}`];
  const replica = await startRedisProcess({ settings, login });
  await waitFor(async () => String(await replica.command('INFO', 'replication')).includes('master_link_status:up'), {
    what: 'the replica to be in step',
  });
  const watch = [
    `requirepass ${sentinel}`,
    `sentinel sentinel-pass ${sentinel}`,
    `sentinel monitor ${masterName} 127.0.0.1 ${master.port} 2`,
    `sentinel auth-pass ${masterName} ${server}`,
    `sentinel down-after-milliseconds ${masterName} 500`,
    `sentinel failover-timeout ${masterName} 3000`,
  ];
  const start = (): Promise<RedisProcess> =>
    startRedisProcess({ mode: 'sentinel', settings: () => watch, login: { password: sentinel } });
  const sentinels = await Promise.all([start(), start(), start()]);
  for (const one of sentinels) {
    await waitFor(() => knowsAll(one), { what: 'the Sentinels to know each other and the replica' });
  }
  return { master, replica, sentinels, hosts: sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',') };
}

async function knowsAll(sentinel: RedisProcess): Promise<boolean> {
  const info = String(await sentinel.command('INFO', 'sentinel'));
  return info.includes('slaves=1,sentinels=3');
}

import { freePort } from '../../support/free-port.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startRedisProcess, type ProcessOptions, type RedisProcess } from './redis-process.ts';

export interface RedisCluster {
  readonly masters: readonly RedisProcess[];
  /** One for the first master's slots, and so on. */
  readonly replicas: readonly RedisProcess[];
  /** Of the masters. */
  readonly hosts: string;
}

const slots = 16_384;
const size = 3;

/** Three masters that share the slots, each with a replica where one is wanted. */
export async function startRedisCluster(options: ProcessOptions & { readonly replicas?: number } = {}): Promise<RedisCluster> {
  const node = (): Promise<RedisProcess> =>
    startRedisProcess({
      ...options,
      async settings(port) {
        const own = ['cluster-enabled yes', `cluster-port ${await freePort()}`, 'cluster-node-timeout 1000', 'save ""'];
        return [...own, 'cluster-replica-validity-factor 0', ...((await options.settings?.(port)) ?? [])];
      },
    });
  const masters = await Promise.all(Array.from({ length: size }, node));
  const replicas = await Promise.all(Array.from({ length: options.replicas ?? 0 }, node));
  const share = Math.ceil(slots / size);
  await Promise.all(
    masters.map((master, index) => {
      const [from, to] = [index * share, Math.min(slots, (index + 1) * share) - 1];
      return master.command('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to));
    }),
  );
  const [first, ...others] = [...masters, ...replicas];
  if (first === undefined) throw new Error('a cluster has nodes');
  for (const other of others) await meet(first, other);
  for (const one of [first, ...others]) await waitFor(async () => (await known(one)) === size + replicas.length, { what: 'the nodes to know each other' });
  await Promise.all(replicas.map((replica, index) => follow(replica, masters[index])));
  for (const one of [first, ...others]) await waitFor(() => isUp(one), { what: 'the cluster to come up' });
  return { masters, replicas, hosts: masters.map(({ port }) => `127.0.0.1:${port}`).join(',') };
}

async function meet(one: RedisProcess, other: RedisProcess): Promise<void> {
  const [, bus] = String(await other.command('CONFIG', 'GET', 'cluster-port')).split(',');
  await one.command('CLUSTER', 'MEET', '127.0.0.1', String(other.port), bus ?? '');
}

async function follow(replica: RedisProcess, master: RedisProcess | undefined): Promise<void> {
  const id = String(await master?.command('CLUSTER', 'MYID'));
  await waitFor(() => replica.command('CLUSTER', 'REPLICATE', id), { what: 'a replica to follow its master' });
  await waitFor(async () => /master_link_status:up/.test(String(await replica.command('INFO', 'replication'))), { what: 'a replica in step' });
}

async function known(node: RedisProcess): Promise<number> {
  return Number(/cluster_known_nodes:(\d+)/.exec(String(await node.command('CLUSTER', 'INFO')))?.[1]);
}

async function isUp(node: RedisProcess): Promise<boolean> {
  return String(await node.command('CLUSTER', 'INFO')).includes('cluster_state:ok');
}

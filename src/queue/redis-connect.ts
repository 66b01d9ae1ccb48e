import type { ConnectionOptions } from 'node:tls';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress, RedisLogin } from './redis-address.ts';
import { redisTlsOptions } from './redis-tls.ts';

export type RedisClient = Redis | Cluster;

/** How a connection behaves, wherever it leads. */
export type RedisManner = Pick<
  RedisOptions,
  | 'commandTimeout'
  | 'connectTimeout'
  | 'enableOfflineQueue'
  | 'enableReadyCheck'
  | 'maxRetriesPerRequest'
  | 'reconnectOnError'
  | 'socketTimeout'
>;

export function reconnectDelayMs(times: number): number {
  return Math.min(3_000, 100 * 2 ** Math.min(times - 1, 5));
}

/** Connects, and again for as long as the signal is not aborted; whoever aborts it also disconnects. */
export function connectRedis(address: RedisAddress, manner: RedisManner, closing: AbortSignal): RedisClient {
  const client = create(address, manner);
  client.on('end', () => {
    // ioredis gives up when it is told to reconnect while it still asks a Sentinel.
    if (closing.aborted) return;
    const timer = setTimeout(() => {
      client.connect().catch(() => undefined);
    }, reconnectDelayMs(1));
    closing.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
  return client;
}

function create({ layout, nodes, login, database, tls }: RedisAddress, manner: RedisManner): RedisClient {
  const security = tls === undefined ? undefined : redisTlsOptions(tls);
  const options = { ...manner, ...login, ...(security && { tls: security }) };
  const retryStrategy = reconnectDelayMs;
  if (layout.type === 'single') return new Redis({ ...options, ...nodes[0], db: database, retryStrategy });
  if (layout.type === 'cluster') return createCluster(nodes, options);
  const { username, password } = layout.login;
  return new Redis({
    ...options,
    retryStrategy,
    db: database,
    sentinels: [...nodes],
    name: layout.master,
    ...(username !== undefined && { sentinelUsername: username }),
    ...(password !== undefined && { sentinelPassword: password }),
    ...(security && { enableTLSForSentinelMode: true, sentinelTLS: security }),
    // Without one ioredis gives up for good when no Sentinel answers.
    sentinelRetryStrategy: reconnectDelayMs,
    sentinelCommandTimeout: manner.connectTimeout ?? 10_000,
  });
}

type NodeOptions = RedisManner & RedisLogin & { readonly tls?: ConnectionOptions };

function createCluster(nodes: RedisAddress['nodes'], options: NodeOptions): Cluster {
  const { enableOfflineQueue = true, ...redisOptions } = options;
  return new Cluster([...nodes], {
    enableOfflineQueue,
    redisOptions,
    // checkServer() asks instead: ioredis would try again in silence.
    enableReadyCheck: false,
    // A node that is gone is pointed to by the others for a while.
    retryDelayOnMoved: 100,
    slotsRefreshTimeout: 3_000,
    slotsRefreshInterval: 30_000,
    clusterRetryStrategy: reconnectDelayMs,
    // As they are: one name that DNS does not know would keep ioredis from the other nodes, and certificates hold names.
    dnsLookup: (name, done) => done(null, name),
  });
}

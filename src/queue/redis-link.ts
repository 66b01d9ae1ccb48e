import { setTimeout as sleep } from 'node:timers/promises';
import { Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from './redis-address.ts';
import { checkServer, type ServerCheck } from './redis-server-check.ts';
import { reasonOf, type QueueLog } from './work-queue.ts';

export interface RedisLinkOptions {
  readonly address: RedisAddress;
  readonly log: QueueLog;
  /** Called each time that the server was reached and looked at. */
  readonly onUsable: (server: ServerCheck) => void;
}

/** The connection that adds work, and what is known through it about the server. */
export interface RedisLink {
  /** Never waits for a server that is away: its commands fail. */
  readonly connection: Redis;
  /** Why the server cannot be used now, or undefined when it can. Waits for the first attempt to reach it. */
  whyAway(): Promise<string | undefined>;
  /** Takes the errors of everything else that talks to the server. That it is away is said once, here. */
  readonly onError: (error: unknown) => void;
  close(): Promise<void>;
}

// `add` answers a webhook: it says within this time that Redis does not.
const answerMs = 3_000;

const sameErrorAgainMs = 60_000;

export function reconnectDelayMs(times: number): number {
  return Math.min(3_000, 100 * 2 ** Math.min(times - 1, 5));
}

const failFast = {
  retryStrategy: reconnectDelayMs,
  // checkServer() asks instead: ioredis writes to the console when the user may not run INFO.
  enableReadyCheck: false,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: answerMs,
  commandTimeout: answerMs,
  socketTimeout: 2 * answerMs,
} satisfies RedisOptions;

export function createRedisLink({ address, log, onUsable }: RedisLinkOptions): RedisLink {
  const redis = address.shown;
  const connection = new Redis({ ...address.connect, ...failFast });
  const closing = new AbortController();
  const firstAttempt = Promise.withResolvers<void>();

  let away: string | undefined;
  let failedChecks = 0;
  let checking = Promise.resolve();
  let lastError = { reason: '', at: Number.NEGATIVE_INFINITY };

  connection.on('error', sayAway);
  connection.on('ready', () => {
    checking = checking.then(check);
  });

  async function check(): Promise<void> {
    try {
      const server = await checkServer(connection, log);
      failedChecks = 0;
      sayBack();
      onUsable(server);
    } catch (error) {
      sayAway(error);
      failedChecks += 1;
      await sleep(reconnectDelayMs(failedChecks), undefined, { signal: closing.signal }).catch(() => undefined);
      if (!closing.signal.aborted) connection.disconnect(true);
    }
  }

  function sayAway(error: unknown): void {
    const reason = address.hideSecrets(reasonOf(error));
    if (away === undefined && !closing.signal.aborted) {
      log.warn('Redis cannot be used; trying again until it can', { redis, reason });
    }
    away = reason;
    firstAttempt.resolve();
  }

  function sayBack(): void {
    if (away !== undefined) log.info('Redis can be used now', { redis });
    away = undefined;
    firstAttempt.resolve();
  }

  return {
    connection,
    async whyAway() {
      await firstAttempt.promise;
      return away;
    },
    onError(error) {
      if (connection.status !== 'ready' || away !== undefined || closing.signal.aborted) return;
      const reason = address.hideSecrets(reasonOf(error));
      const at = performance.now();
      if (reason === lastError.reason && at - lastError.at < sameErrorAgainMs) return;
      lastError = { reason, at };
      log.error('the queue has a problem with Redis', { redis, reason });
    },
    async close() {
      closing.abort();
      firstAttempt.resolve();
      connection.disconnect();
      await checking;
    },
  };
}

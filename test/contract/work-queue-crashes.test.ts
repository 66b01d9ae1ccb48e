import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startRedis, type RedisServer } from '../support/redis.ts';
import { surviveDisasters } from './work-queue/crashes.ts';
import { memoryScene } from './work-queue/memory-scene.ts';
import { lockMs, redisScene, type RedisAgent } from './work-queue/redis-scene.ts';

async function serve(port?: number): Promise<RedisServer> {
  const redis = await startRedis(port === undefined ? {} : { port });
  onTestFinished(() => redis.stop());
  return redis;
}

describe('thousands of adds', () => {
  test('to a queue in memory, whose agents die and add every key again', async () => {
    const strike = { times: 25, strike: (director: { replaceAgent(): Promise<void> }) => director.replaceAgent() };
    const history = await surviveDisasters(memoryScene(), { keys: 40, adds: 5_000, disaster: strike });
    expect(history.overlaps()).toEqual([]);
  });

  test('to a queue on Redis, whose agents are killed, and paused for longer than their locks last', async () => {
    const redis = await serve();
    const history = await surviveDisasters(redisScene(() => redis.url), {
      keys: 40,
      adds: 3_000,
      disaster: {
        times: 8,
        async strike({ random, agent, replaceAgent }) {
          if (random.next() < 0.5) {
            await replaceAgent();
            return;
          }
          const paused = agent() as RedisAgent;
          paused.pause();
          await sleep(2 * lockMs);
          paused.goOn();
        },
      },
    });
    expect(history.overlaps()).toEqual([]);
  });

  test('to a Redis that is flushed, and stopped and started empty, with a sweep after each', async () => {
    let redis = await serve();
    const history = await surviveDisasters(redisScene(() => redis.url), {
      keys: 40,
      adds: 3_000,
      disaster: {
        times: 8,
        async strike({ random, sweep, replaceAgent }) {
          if (random.next() < 0.2) await replaceAgent();
          if (random.next() < 0.6) {
            await redis.command('FLUSHALL');
          } else {
            await redis.stop();
            await sleep(random.below(500));
            redis = await serve(redis.port);
          }
          await sweep();
        },
      },
    });
    expect(history.overlaps()).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { witness } from '../contract/work-queue/witness.ts';
import { freePort } from '../support/free-port.ts';
import { hasRedisServer } from '../support/redis.ts';
import { startRedisCluster, type RedisCluster } from './redis-queue/redis-cluster.ts';
import type { RedisProcess } from './redis-queue/redis-process.ts';
import { addSoon, open } from './redis-queue/subject.ts';

/** The node that keeps the queue; the others must have nothing of it. */
async function keeper({ masters }: RedisCluster): Promise<RedisProcess> {
  const sizes = await Promise.all(masters.map(({ command }) => command('DBSIZE')));
  const found = masters.filter((_master, index) => Number(sizes[index]) > 0);
  expect(found).toHaveLength(1);
  const [only] = found;
  if (only === undefined) throw new Error('no node keeps the queue');
  return only;
}

describe.skipIf(!hasRedisServer)('a cluster', () => {
  test('of three masters serves a queue, from one of them, found through any', async () => {
    const cluster = await startRedisCluster();
    for (const { port } of cluster.masters) {
      const { queue, log } = open(`redis+cluster://127.0.0.1:${port}`);
      const work = witness({ hold: ['web'], fail: ({ key, count }) => key === 'api' && count < 3 });
      queue.start(work.handler);
      await queue.add('web');
      await work.started('web');
      await queue.add('web');
      await queue.add('api');
      await queue.add('delayed', { delayMs: 20 });
      work.release('web');
      await work.ran('web', 2);
      await work.ran('api', 3);
      await work.ran('delayed');
      expect(await queue.stats()).toMatchObject({ waiting: 0, delayed: 0 });
      await queue.close();
      expect(log.lines.filter(({ message }) => message !== 'work failed and is tried again')).toEqual([]);
    }
    await keeper(cluster);
  });

  test('goes on when the node that keeps the queue dies and its replica takes over', async () => {
    const cluster = await startRedisCluster({ replicas: 3 });
    const nowhere = `nowhere.invalid:1,127.0.0.1:${await freePort()}`;
    const { queue } = open(`redis+cluster://${nowhere},${cluster.hosts}`, { lockMs: 1_000 });
    const work = witness({ hold: ['held'] });
    queue.start(work.handler);
    await queue.add('web');
    await work.ran('web');
    await queue.add('held');
    await work.started('held');
    const node = await keeper(cluster);
    await node.kill();
    await addSoon(queue, 'after', 30_000);
    await work.ran('after');
    work.release('held');
    await work.ran('held');
    await queue.add('held');
    await work.ran('held', 2);
    expect(work.runs.filter(({ key }) => key === 'after')).not.toHaveLength(0);
  });

  test('that is out of memory, or lost the node with the queue, refuses work at once', async () => {
    const cluster = await startRedisCluster();
    const { queue } = open(`redis+cluster://${cluster.hosts}`);
    const work = witness();
    queue.start(work.handler);
    await queue.add('web');
    await work.ran('web');
    for (const { command } of cluster.masters) await command('CONFIG', 'SET', 'maxmemory', '1');
    await expect(queue.add('web')).rejects.toMatchObject({ code: 'QueueUnavailable', message: expect.stringContaining('OOM') as unknown });
    for (const { command } of cluster.masters) await command('CONFIG', 'SET', 'maxmemory', '0');
    await addSoon(queue, 'web');
    await work.ran('web', 2);
    await (await keeper(cluster)).kill();
    const began = performance.now();
    await expect(queue.add('web')).rejects.toMatchObject({ code: 'QueueUnavailable' });
    // What a webhook's sender would wait at most, and some.
    expect(performance.now() - began).toBeLessThan(6_000);
  });

  test('that is away is told in words', async () => {
    const port = await freePort();
    const { queue, log } = open(`redis+cluster://127.0.0.1:${port}`);
    await expect(queue.add('web')).rejects.toMatchObject({
      code: 'QueueUnavailable',
      message: `Redis at 127.0.0.1:${port} did not take the work: no node of the cluster answers`,
    });
    expect(log.lines).toHaveLength(1);
  });
});

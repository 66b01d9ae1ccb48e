import { describe, expect, test } from 'vitest';
import { witness } from '../contract/work-queue/witness.ts';
import { freePort } from '../support/free-port.ts';
import { waitFor } from '../support/wait-for.ts';
import { addSoon, open, serve } from './redis-queue/subject.ts';

describe('a Redis that is away', () => {
  test('at the start is said once, refuses at once what is added, and is used as soon as it is there', async () => {
    const port = await freePort();
    const { queue, log, said } = open(`redis://127.0.0.1:${port}`);
    const work = witness();
    queue.start(work.handler);
    await expect(queue.add('web')).rejects.toMatchObject({
      code: 'QueueUnavailable',
      message: `Redis at 127.0.0.1:${port} did not take the work: connect ECONNREFUSED 127.0.0.1:${port}`,
    });
    const began = performance.now();
    await expect(queue.add('web')).rejects.toMatchObject({ code: 'QueueUnavailable' });
    // Half of what a Redis that hangs is given.
    expect(performance.now() - began).toBeLessThan(1_500);
    await waitFor(() => performance.now() - began > 500, { what: 'several attempts to connect' });
    await serve({ port });
    await addSoon(queue, 'web');
    await work.ran('web');
    expect(said('Redis cannot be used')).toBe(1);
    expect(said('Redis can be used now')).toBe(1);
    expect(log.lines).toHaveLength(2);
  });

  test('all the time does not keep the queue from closing', async () => {
    const { queue } = open(`redis://127.0.0.1:${await freePort()}`);
    queue.start(witness().handler);
    await expect(queue.add('web')).rejects.toMatchObject({ code: 'QueueUnavailable' });
    await expect(queue.close()).resolves.toBeUndefined();
  });

  test('during work lets that work end, and the queue goes on with an empty Redis in the same place', async () => {
    const redis = await serve();
    const { queue, said } = open(redis.url);
    const work = witness({ hold: ['web'] });
    queue.start(work.handler);
    await queue.add('web');
    await work.started('web');
    await redis.stop();
    await waitFor(() => said('Redis cannot be used') === 1, { what: 'the outage to be noticed' });
    await expect(queue.add('web')).rejects.toMatchObject({ code: 'QueueUnavailable' });
    work.release('web');
    await work.ran('web');
    await serve({ port: redis.port });
    for (const key of ['web', 'api']) await addSoon(queue, key);
    await work.ran('web', 2);
    await work.ran('api');
    expect(said('Redis cannot be used')).toBe(1);
  });

  test('while the queue closes does not keep it from closing', async () => {
    const redis = await serve();
    const { queue, said } = open(redis.url);
    const work = witness({ hold: ['web'] });
    queue.start(work.handler);
    await queue.add('web');
    await work.started('web');
    await redis.stop();
    await waitFor(() => said('Redis cannot be used') === 1, { what: 'the outage to be noticed' });
    const closed = queue.close();
    work.release('web');
    await expect(closed).resolves.toBeUndefined();
  });

  test('because it hangs makes an add fail after a few seconds, and is used again when it goes on', async () => {
    const redis = await serve();
    const { queue } = open(redis.url);
    const work = witness();
    queue.start(work.handler);
    await queue.add('before');
    await work.ran('before');
    process.kill(redis.pid, 'SIGSTOP');
    await expect(queue.add('during')).rejects.toMatchObject({
      code: 'QueueUnavailable',
      message: `Redis at 127.0.0.1:${redis.port} did not take the work: Command timed out`,
    });
    process.kill(redis.pid, 'SIGCONT');
    await addSoon(queue, 'after');
    await work.ran('after');
  });
});

import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { witness } from '../contract/work-queue/witness.ts';
import { freePort } from '../support/free-port.ts';
import { hasRedisServer } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { startRedisProcess } from './redis-queue/redis-process.ts';
import { masterName, startSentinels } from './redis-queue/redis-sentinel.ts';
import { addSoon, open } from './redis-queue/subject.ts';

const passwords = { server: 'pass-of-the-server', sentinel: 'pass-of-the-sentinel' };

describe.skipIf(!hasRedisServer)('Sentinels', () => {
  test('lead to the master, and to the next one when it dies', async () => {
    const { master, replica, hosts, sentinels } = await startSentinels(passwords);
    const login = `sentinelPassword=${passwords.sentinel}`;
    const { queue, log, said } = open(`redis+sentinel://:${passwords.server}@${hosts}/${masterName}/2?${login}`);
    const work = witness({ hold: ['held'] });
    queue.start(work.handler);
    await queue.add('web');
    await work.ran('web');
    await queue.add('held');
    await work.started('held');
    await queue.add('delayed', { delayMs: 3_600_000 });
    const copied = async (): Promise<boolean> => String(await replica.command('INFO', 'keyspace')).includes('db2:');
    await waitFor(copied, { what: 'the replica to have it, in the database that was asked for' });

    await master.kill();
    await waitFor(() => said('Redis cannot be used') === 1, { what: 'the outage to be noticed' });
    await addSoon(queue, 'after', 30_000);
    await work.ran('after');
    work.release('held');
    await work.ran('held');
    await queue.add('delayed');
    await work.ran('delayed');
    expect(log.lines.map(({ message }) => message)).toEqual([
      'Redis cannot be used; trying again until it can',
      'Redis can be used now',
    ]);
    expect(log.lines[0]?.fields['redis']).toBe(sentinels.map(({ port }) => `127.0.0.1:${port}`).join(', '));
    expect(inspect(log.lines, { depth: 9 })).not.toContain('pass-of');
  });

  test('that do not know the name of the master, or refuse the login, are told from those that are away', async () => {
    const master = await startRedisProcess();
    const settings = (): string[] => [`sentinel monitor ${masterName} 127.0.0.1 ${master.port} 1`, 'requirepass right'];
    const { port } = await startRedisProcess({ mode: 'sentinel', settings, login: { password: 'right' } });
    const reasonFor = async (url: string): Promise<unknown> => {
      const { queue, log } = open(url);
      const error = await queue.add('web').catch((problem: unknown) => problem);
      await queue.close();
      expect(inspect([error, log.lines], { depth: 9, showHidden: true })).not.toContain('wrong-one');
      return (error as Error).message.replace(/^.*: /, '');
    };
    const at = `127.0.0.1:${port}`;
    expect(await reasonFor(`redis+sentinel://${at}/other?sentinelPassword=right`)).toBe('no Sentinel knows a master of that name');
    expect(await reasonFor(`redis+sentinel://${at}/${masterName}?sentinelPassword=wrong-one`)).toMatch(/NOAUTH|WRONGPASS/);
    expect(await reasonFor(`redis+sentinel://127.0.0.1:${await freePort()}/${masterName}`)).toBe('no Sentinel answers');
  });

  test('that are away at first are used when they come', async () => {
    const master = await startRedisProcess();
    const port = await freePort();
    const { queue } = open(`redis+sentinel://127.0.0.1:${port}/${masterName}`);
    const work = witness();
    queue.start(work.handler);
    await expect(queue.add('web')).rejects.toMatchObject({ code: 'QueueUnavailable' });
    const settings = (): string[] => [`sentinel monitor ${masterName} 127.0.0.1 ${master.port} 1`];
    await startRedisProcess({ mode: 'sentinel', settings, port });
    await addSoon(queue, 'web');
    await work.ran('web');
  });
});

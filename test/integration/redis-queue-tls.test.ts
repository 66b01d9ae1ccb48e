import { rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createRedisQueue } from '../../src/queue/index.ts';
import { redisTlsOptions } from '../../src/queue/redis-tls.ts';
import { witness } from '../contract/work-queue/witness.ts';
import { certificateAuthority } from '../support/certificate-authority.ts';
import { recordingLog } from '../support/recording-log.ts';
import { hasRedisServer } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { startRedisCluster } from './redis-queue/redis-cluster.ts';
import { startRedisProcess } from './redis-queue/redis-process.ts';
import { addSoon, open } from './redis-queue/subject.ts';
import { tlsFiles, tlsServer, type TlsFiles } from './redis-queue/tls-files.ts';

const whole = ({ ca, cert, key }: TlsFiles): string => new URLSearchParams({ ca, cert, key }).toString();

describe.skipIf(!hasRedisServer)('a Redis with TLS', () => {
  test('is used when its authority is trusted', async () => {
    const authority = certificateAuthority();
    const files = await tlsFiles(authority);
    const { port } = await startRedisProcess(tlsServer(files, authority, ['tls-auth-clients no']));
    const { queue, log } = open(`rediss://127.0.0.1:${port}?ca=${files.ca}`);
    const work = witness();
    queue.start(work.handler);
    await queue.add('web');
    await queue.add('api', { delayMs: 1 });
    await work.ran('web');
    await work.ran('api');
    expect(log.lines).toEqual([]);
  });

  test('of an authority that is not trusted gets no work and no password', async () => {
    const authority = certificateAuthority();
    const files = await tlsFiles(authority);
    const { settings, login } = tlsServer(files, authority, ['tls-auth-clients no', 'requirepass right']);
    const { port, command } = await startRedisProcess({ ...(settings && { settings }), login: { ...login, password: 'right' } });
    const other = await tlsFiles(certificateAuthority());
    for (const query of ['', `?ca=${other.ca}`]) {
      const { queue } = open(`rediss://:hunter2@127.0.0.1:${port}${query}`);
      const message: unknown = expect.stringMatching(/unable to verify|certificate/);
      await expect(queue.add('web')).rejects.toMatchObject({ code: 'QueueUnavailable', message });
    }
    expect(await command('INFO', 'errorstats')).not.toContain('WRONGPASS');
    const { queue } = open(`rediss://:hunter2@127.0.0.1:${port}?ca=${files.ca}`);
    await expect(queue.add('web')).rejects.toThrow('WRONGPASS');
  });

  test('whose certificate names another server gets no work', async () => {
    const authority = certificateAuthority();
    const files = await tlsFiles(authority);
    const { port } = await startRedisProcess(tlsServer(files, authority, ['tls-auth-clients no']));
    const { queue } = open(`rediss://127.0.0.1:${port}?ca=${files.ca}&servername=redis.example.com`);
    const message: unknown = expect.stringContaining('redis.example.com');
    await expect(queue.add('web')).rejects.toMatchObject({ code: 'QueueUnavailable', message });
  });

  test('that asks for a client certificate is used with one, and with the one that replaces it', async () => {
    const authority = certificateAuthority();
    const files = await tlsFiles(authority);
    const server = await startRedisProcess(tlsServer(files, authority));
    const without = open(`rediss://127.0.0.1:${server.port}?ca=${files.ca}`);
    await expect(without.queue.add('web')).rejects.toMatchObject({ code: 'QueueUnavailable' });

    const own = await tlsFiles(authority);
    const { queue, said } = open(`rediss://127.0.0.1:${server.port}?${whole(own)}`);
    const work = witness();
    queue.start(work.handler);
    await queue.add('web');
    await work.ran('web');

    await server.kill();
    await waitFor(() => said('Redis cannot be used') === 1, { what: 'the outage to be noticed' });
    const next = certificateAuthority();
    await files.renew(next);
    await startRedisProcess({ ...tlsServer(files, next), port: server.port });
    await expect(queue.add('web')).rejects.toMatchObject({ code: 'QueueUnavailable' });
    await own.renew(next);
    await addSoon(queue, 'web');
    await work.ran('web', 2);
  });

  test('may be a cluster', async () => {
    const authority = certificateAuthority();
    const files = await tlsFiles(authority);
    const { hosts } = await startRedisCluster(tlsServer(files, authority, ['tls-cluster yes', 'tls-replication yes']));
    const { queue, log } = open(`rediss+cluster://${hosts}?${whole(files)}`);
    const work = witness();
    queue.start(work.handler);
    await queue.add('web');
    await queue.add('api', { delayMs: 1 });
    await work.ran('web');
    await work.ran('api');
    expect(log.lines).toEqual([]);
  });

  test('may be found by a Sentinel with TLS', async () => {
    const authority = certificateAuthority();
    const files = await tlsFiles(authority);
    const server = tlsServer(files, authority, ['tls-replication yes']);
    const master = await startRedisProcess(server);
    const watch = `sentinel monitor main 127.0.0.1 ${master.port} 1`;
    const settings = async (port: number): Promise<string[]> => [...((await server.settings?.(port)) ?? []), watch];
    const sentinel = await startRedisProcess({ ...server, settings, mode: 'sentinel' });
    const { queue, log } = open(`rediss+sentinel://127.0.0.1:${sentinel.port}/main?${whole(files)}`);
    const work = witness();
    queue.start(work.handler);
    await queue.add('web');
    await work.ran('web');
    expect(log.lines).toEqual([]);
  });
});

describe('certificate files', () => {
  const create = (query: string): unknown =>
    createRedisQueue({ url: `rediss://127.0.0.1?${query}`, name: 'x', concurrency: 1, log: recordingLog() });

  test('that are not there are named', () => {
    const message: unknown = expect.stringMatching(/cannot be read: ENOENT.*\/nowhere\/ca\.pem/);
    expect(() => create('ca=/nowhere/ca.pem')).toThrow(expect.objectContaining({ code: 'Usage', message }));
  });

  test('that are no certificates are named, and not shown', async () => {
    const files = await tlsFiles(certificateAuthority());
    await writeFile(files.ca, 'hunter2');
    const refused: unknown = expect.objectContaining({ code: 'Usage', message: `A certificate file for Redis is in PEM, and ${files.ca} is not.` });
    expect(() => create(`ca=${files.ca}`)).toThrow(refused);
  });

  test('are read for every connection, and half a renewal does no harm', async () => {
    const authority = certificateAuthority();
    const files = await tlsFiles(authority);
    const options = redisTlsOptions(files);
    const first = options.secureContext;
    await rm(files.key);
    const halfway = options.secureContext;
    await writeFile(files.key, certificateAuthority().key);
    const mismatched = options.secureContext;
    await files.renew(authority);
    const renewed = options.secureContext;
    expect([halfway === first, mismatched === first, renewed === first]).toEqual([true, true, false]);
  });

  test('that do not belong together are refused', async () => {
    const [one, other] = [await tlsFiles(certificateAuthority()), await tlsFiles(certificateAuthority())];
    const message: unknown = expect.stringMatching(/cannot be used: .*mismatch/);
    const query = `cert=${one.cert}&key=${other.key}`;
    expect(() => create(query)).toThrow(expect.objectContaining({ code: 'Usage', message }));
  });
});

import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../../src/telemetry/index.ts';
import { createServer, type Check, type ServerOptions } from '../../../src/server/index.ts';
import { github } from '../../fixtures/webhooks/senders.ts';
import { freePort } from '../../support/free-port.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { connectRaw } from './raw-connection.ts';
import { idOf, startServer } from './start-server.ts';

const { signal } = new AbortController();
type Operations = NonNullable<ServerOptions['operations']>;

async function startOperations({ readiness = [], ...changes }: Partial<Omit<Operations, 'readiness'>> & { readonly readiness?: readonly Check[] } = {}) {
  const log = recordingLog();
  const metrics = { text: async () => 'up 1\n' };
  const server = await createServer({ operations: { host: '127.0.0.1', port: 0, health: [], readiness: () => readiness, metrics, ...changes }, log, now: () => 0 }, signal);
  const port = server.operationsAddress?.port ?? 0;
  const url = `http://127.0.0.1:${port}`;
  return {
    log,
    port,
    get: async (path: string, method = 'GET') => {
      const response = await fetch(`${url}${path}`, { method });
      return { status: response.status, type: response.headers.get('content-type'), allow: response.headers.get('allow'), text: await response.text() };
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

const bad: Check = { name: 'redis', check: () => 'Redis does not answer' };
const good: Check = { name: 'cluster', check: async () => undefined };
const broken: Check = { name: 'git', check: () => Promise.reject(new Error('canary')) };

describe.each(['/healthz', '/readyz'])('%s', (path) => {
  const key = path === '/healthz' ? 'health' : 'readiness';

  test('is 200 where all is well', async () => {
    await using server = await startOperations({ [key]: [good] });
    expect(await server.get(path)).toMatchObject({ status: 200, type: 'application/json; charset=utf-8', text: '{"status":"ok","reasons":[]}\n' });
  });

  test('is 503 with the reasons where it is not', async () => {
    await using server = await startOperations({ [key]: [good, bad, broken] });
    const { status, text } = await server.get(path);
    expect(status).toBe(503);
    expect(JSON.parse(text)).toEqual({
      status: 'failing',
      reasons: [
        { check: 'redis', reason: 'Redis does not answer' },
        { check: 'git', reason: 'the check failed' },
      ],
    });
  });

  test('has nothing to do with the other', async () => {
    await using server = await startOperations({ [key === 'health' ? 'readiness' : 'health']: [bad] });
    expect((await server.get(path)).status).toBe(200);
  });

  test('has no body for HEAD', async () => {
    await using server = await startOperations({ [key]: [bad] });
    expect(await server.get(path, 'HEAD')).toMatchObject({ status: 503, text: '' });
  });

  test('asks once for all who ask at the same time, and again for who comes later', async () => {
    const asked = Promise.withResolvers<undefined>();
    let rounds = 0;
    const slow: Check = {
      name: 'slow',
      check() {
        rounds += 1;
        return asked.promise;
      },
    };
    await using server = await startOperations({ [key]: [slow] });
    using connection = await connectRaw(server.port);
    connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(20));
    await expect.poll(() => rounds).toBe(1);
    asked.resolve(undefined);
    await expect.poll(() => connection.received().split('200 OK').length - 1).toBe(20);
    expect(rounds).toBe(1);
    await server.get(path);
    expect(rounds).toBe(2);
  });
});

describe('/metrics', () => {
  test('is what the agent counts', async () => {
    const metrics = createMetrics();
    metrics.parsed(7);
    await using server = await startOperations({ metrics });
    const { status, type, text } = await server.get('/metrics');
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(text).toContain('setpoint_parsed_files_total 7');
  });

  test('has the type that it says', async () => {
    const contentType = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
    await using server = await startOperations({ metrics: { contentType, text: () => '# EOF\n' } });
    expect(await server.get('/metrics')).toMatchObject({ type: contentType, text: '# EOF\n' });
  });

  test('is 503 where it cannot be had', async () => {
    await using server = await startOperations({ metrics: { text: () => Promise.reject(new Error('canary')) } });
    expect(await server.get('/metrics')).toMatchObject({ status: 503, text: 'the metrics cannot be shown now\n' });
    expect(server.log.lines.at(-1)).toEqual({ level: 'error', message: 'the metrics cannot be shown', fields: { error: 'Error' } });
  });
});

test.each([
  ['POST', '/healthz', 405],
  ['DELETE', '/metrics', 405],
  ['OPTIONS', '/readyz', 405],
  ['GET', '/', 404],
  ['POST', '/', 404],
  ['GET', '/hooks/x', 404],
  ['GET', '/healthz/', 404],
  ['GET', '/constructor', 404],
  ['GET', '/%zz', 404],
])('%s %s is %d', async (method, path, status) => {
  await using server = await startOperations();
  const answer = await server.get(path, method);
  expect(answer.status).toBe(status);
  expect(answer.allow).toBe(status === 405 ? 'GET, HEAD' : null);
});

test('a query changes nothing', async () => {
  await using server = await startOperations();
  expect((await server.get('/healthz?verbose')).status).toBe(200);
});

describe('the two listeners', () => {
  const operations = { host: '127.0.0.1', port: 0, health: [], readiness: () => [], metrics: { text: () => '' } };
  const hooks = { host: '127.0.0.1', port: 0, receivers: [], onHint: () => undefined };
  const common = { log: recordingLog(), now: () => 0 };
  const taken = async (port: number): Promise<boolean> => {
    const socket = connect({ port, host: '127.0.0.1' });
    const outcome = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(() => false);
    socket.destroy();
    return outcome;
  };

  test('have addresses of their own, and neither answers for the other', async () => {
    const server = await createServer({ hooks, operations, ...common }, signal);
    const { hooksAddress, operationsAddress } = server;
    const statusOf = async (port: number | undefined, path: string): Promise<number> => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    expect([await statusOf(hooksAddress?.port, '/metrics'), await statusOf(operationsAddress?.port, '/metrics')]).toEqual([405, 200]);
    await server.close();
    expect([await taken(hooksAddress?.port ?? 0), await taken(operationsAddress?.port ?? 0)]).toEqual([false, false]);
  });

  test('are there only where they are wanted', async () => {
    const server = await createServer({ operations, ...common }, signal);
    expect(Object.keys(server).toSorted()).toEqual(['close', 'operationsAddress', 'retire']);
    await server.close();
  });

  test('part when it retires: it takes no webhook, and tells that it is not ready, but is well', async () => {
    const server = await createServer({ hooks, operations, ...common }, signal);
    const { hooksAddress, operationsAddress } = server;
    const answerOf = async (path: string): Promise<string> => {
      const response = await fetch(`http://127.0.0.1:${operationsAddress?.port}${path}`);
      return `${response.status} ${await response.text()}`;
    };
    const well = '200 {"status":"ok","reasons":[]}\n';
    expect(await answerOf('/readyz')).toBe(well);
    await server.retire();
    expect(await taken(hooksAddress?.port ?? 0)).toBe(false);
    expect(await answerOf('/readyz')).toBe('503 {"status":"failing","reasons":[{"check":"agent","reason":"the agent is stopping"}]}\n');
    expect([await answerOf('/healthz'), await answerOf('/metrics')]).toEqual([well, '200 ']);
    await server.close();
    expect(await taken(operationsAddress?.port ?? 0)).toBe(false);
  });

  test('start together or not at all', async () => {
    const other = await createServer({ operations, ...common }, signal);
    const port = await freePort();
    const clash = { ...operations, port: other.operationsAddress?.port ?? 0 };
    await expect(createServer({ hooks: { ...hooks, port }, operations: clash, ...common }, signal)).rejects.toMatchObject({
      code: 'Usage',
      message: `the address 127.0.0.1:${clash.port} for health and metrics cannot be listened on: EADDRINUSE`,
    });
    expect(await taken(port)).toBe(false);
    await other.close();
  });

  test('do not start where a receiver has no secret', async () => {
    const port = await freePort();
    const receivers = [{ id: 'open', provider: 'github', secrets: async () => [] }] as const;
    await expect(createServer({ hooks: { ...hooks, port, receivers }, ...common }, signal)).rejects.toMatchObject({ code: 'Usage', message: expect.stringContaining('open has no secret') as string });
    expect(await taken(port)).toBe(false);
  });
});

describe('closing', () => {
  test('lets what is under way end', async () => {
    const asked = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    const server = await startServer({
      onHint() {
        asked.resolve();
        return taken.promise;
      },
    });
    const answer = server.post(idOf(github), server.sign(github));
    await asked.promise;
    const closed = server.close();
    taken.resolve();
    expect((await answer).status).toBe(202);
    await closed;
    expect(server.hints).toHaveLength(1);
  });

  test('waits for nobody longer than it should', async () => {
    const server = await startServer({ limits: { closeMs: 100 } });
    using connection = await connectRaw(server.port);
    connection.write('POST /hooks/GitHub HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n');
    expect(await connection.answer()).toBe('HTTP/1.1 100 Continue');
    await server.close();
    await connection.closed();
    expect(server.counted).toEqual(['GitHub incomplete']);
  });
});

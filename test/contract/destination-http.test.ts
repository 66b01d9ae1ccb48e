import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttp, type Http, type HttpOptions, type HttpRequest, type HttpResult } from '../../src/notify/http.ts';
import { startAlertSink, type AlertAnswer, type AlertSink } from '../support/alert-sink.ts';
import { certificateAuthority } from '../support/certificate-authority.ts';
import { waitFor } from '../support/wait-for.ts';

const signal = new AbortController().signal;
const request = (url: string): HttpRequest => ({ url, headers: { 'content-type': 'application/json' }, body: '{"a":1}' });

function open(options: HttpOptions = {}): Http {
  const http = createHttp({ allowPrivate: ['127.0.0.1'], ...options });
  onTestFinished(() => http.close());
  return http;
}

async function sinkWith(answer: AlertAnswer = { status: 200 }): Promise<AlertSink> {
  const sink = await startAlertSink(answer);
  onTestFinished(() => sink[Symbol.asyncDispose]());
  return sink;
}

describe('a request', () => {
  test('arrives, and its answer comes back', async () => {
    const sink = await sinkWith({ status: 202, headers: { 'X-Said': 'yes' }, body: 'taken' });
    const result = await open().post({ ...request(`${sink.url}/a?b=c`), method: 'PATCH' }, signal);
    expect(result).toMatchObject({ type: 'answer', host: sink.host, status: 202, headers: { 'x-said': 'yes' }, text: 'taken' });
    expect(sink.requests).toMatchObject([{ method: 'PATCH', path: '/a?b=c', body: '{"a":1}', headers: { 'content-type': 'application/json', 'user-agent': 'setpoint' } }]);
  });

  test('is not unpacked: a small answer stays small', async () => {
    const sink = await sinkWith({ status: 200, headers: { 'content-encoding': 'gzip' }, body: 'packed' });
    expect(await open().post(request(sink.url), signal)).toMatchObject({ text: 'packed' });
  });

  test('of whose answer 10 MB are to come costs 64 KiB', async () => {
    const sink = await sinkWith('huge');
    const result = await open().post(request(sink.url), signal);
    expect(result).toMatchObject({ type: 'answer', status: 200, text: 'x'.repeat(64 * 1024) });
    // What the system buffers in between aside, the rest never leaves.
    expect(await waitFor(() => sink.hugeBytes(), { what: 'the end of the connection' })).toBeLessThan(10 * 1024 * 1024);
  });

  test('whose answer begins and never ends has been answered', async () => {
    const sink = await sinkWith('half');
    expect(await open({ deadlineMs: 100 }).post(request(sink.url), signal)).toMatchObject({ type: 'answer', status: 200, text: 'o' });
  });

  test('that was stopped before it began is not sent', async () => {
    const sink = await sinkWith();
    expect(await open().post(request(sink.url), AbortSignal.abort())).toEqual({ type: 'failed', why: `${sink.host} was not waited for: sending was stopped` });
    expect(sink.requests).toEqual([]);
  });

  test('leaves no timer and no listener behind', async () => {
    const sink = await sinkWith();
    let running = 0;
    const http = open({
      setTimer: () => {
        running += 1;
        return () => {
          running -= 1;
        };
      },
    });
    await http.post(request(sink.url), signal);
    expect(running).toBe(0);
  });
});

describe('a name', () => {
  const posted = async (addresses: readonly (readonly string[])[], allowPrivate: readonly string[]): Promise<{ readonly results: readonly HttpResult[]; readonly lookups: number; readonly sink: AlertSink }> => {
    const sink = await sinkWith({ status: 200, headers: { connection: 'close' } });
    let lookups = 0;
    const resolve = (): Promise<{ address: string; family: number }[]> => {
      const found = addresses[Math.min(lookups, addresses.length - 1)] ?? [];
      lookups += 1;
      return Promise.resolve(found.map((address) => ({ address, family: 4 })));
    };
    const http = open({ resolve, allowPrivate, deadlineMs: 2_000 });
    const results: HttpResult[] = [];
    while (results.length < addresses.length) results.push(await http.post(request(`http://hooks.example.test:${new URL(sink.url).port}/secret-path`), signal));
    return { results, lookups, sink };
  };

  test('is looked up once for a connection', async () => {
    const { results, lookups, sink } = await posted([['127.0.0.1']], ['hooks.example.test']);
    expect([results[0]?.type, lookups, sink.requests.length]).toEqual(['answer', 1, 1]);
  });

  test('that leads to a private address gets nothing, and is worth another try', async () => {
    const { results, sink } = await posted([['127.0.0.1']], []);
    expect(results).toEqual([{ type: 'failed', why: expect.stringMatching(/^hooks\.example\.test:\d+ cannot be reached: 127\.0\.0\.1 is a private address, and alerts\.allowPrivate does not name it$/) }]);
    expect(sink.requests).toEqual([]);
  });

  test('that changes its mind between two requests is checked again', async () => {
    const { results, sink } = await posted([['127.0.0.1'], ['127.0.0.2']], ['127.0.0.1/32']);
    expect(results.map(({ type }) => type)).toEqual(['answer', 'failed']);
    expect(sink.requests.length).toBe(1);
  });

  test('that leads to metadata gets nothing, also where its host is allowed', async () => {
    const { results } = await posted([['169.254.169.254']], ['hooks.example.test']);
    expect(results).toEqual([{ type: 'failed', why: expect.stringContaining('169.254.169.254 is link-local') }]);
  });

  test('that nobody knows is told', async () => {
    const resolve = (): Promise<never> => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND hooks.example.test'), { code: 'ENOTFOUND' }));
    expect(await open({ resolve }).post(request('https://hooks.example.test/secret-path'), signal)).toEqual({ type: 'failed', why: 'hooks.example.test cannot be reached: its host name is not known' });
  });

  test('that is looked up for ever ends at the time limit', async () => {
    const resolve = (): Promise<never> => new Promise(() => undefined);
    expect(await open({ resolve, deadlineMs: 50 }).post(request('https://hooks.example.test/secret-path'), signal)).toEqual({ type: 'failed', why: 'hooks.example.test did not answer within 0.05 s' });
  });
});

describe('TLS', () => {
  async function startTls(): Promise<{ readonly url: string; readonly ca: string }> {
    const authority = certificateAuthority();
    const server = createTlsServer(authority.issue({ commonName: '127.0.0.1' }), (_request, response) => response.end('ok'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    });
    return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca: authority.cert };
  }

  test('of an authority that is trusted besides the usual ones', async () => {
    const { url, ca } = await startTls();
    expect(await open({ ca }).post(request(url), signal)).toMatchObject({ type: 'answer', status: 200, text: 'ok' });
  });

  test('of an authority that nobody trusts is no answer', async () => {
    const { url } = await startTls();
    expect(await open().post(request(url), signal)).toEqual({ type: 'failed', why: expect.stringContaining('its certificate is not signed by a trusted authority') });
  });
});

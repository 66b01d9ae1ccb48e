import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadKubeconfig } from '../../src/cluster/index.ts';
import { createTransport, type ApiRequest, type Transport } from '../../src/cluster/transport.ts';
import { kubeconfigText } from '../support/cluster/kubeconfig.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { startHttpSink, tooManyRequests, type HttpSink } from '../support/http-sink.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

let sink: HttpSink;
let folder: TempFolder;
let transport: Transport;

beforeEach(async () => {
  sink = await startHttpSink();
  folder = await tempFolder();
  const file = join(folder.path, 'config');
  await writeFile(file, kubeconfigText({ server: sink.url, token: 'static' }));
  transport = createTransport(await loadKubeconfig({ file, env: {} }));
});

afterEach(async () => {
  await transport.close();
  await sink.stop();
  await folder.remove();
});

function get(signal: AbortSignal = new AbortController().signal): ApiRequest {
  return { method: 'GET', path: '/api', signal };
}

test('a server that is too busy is asked again when it says', async () => {
  sink.answerNext(tooManyRequests(0.2), tooManyRequests(0), { status: 200, body: 'at last' });
  expect(await transport.send(get())).toEqual({ status: 200, text: 'at last' });
  const [first, second] = sink.requests;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(190);
  expect(sink.requests).toHaveLength(3);
});

test('an apply is sent again too, whole', async () => {
  sink.answerNext(tooManyRequests(0), { status: 200 });
  await transport.send({ ...get(), method: 'PATCH', contentType: 'application/apply-patch+yaml', body: '{"a":1}' });
  expect(sink.requests.map(({ method, body }) => `${method} ${body}`)).toEqual(['PATCH {"a":1}', 'PATCH {"a":1}']);
});

test('a server that stays too busy is believed in the end', async () => {
  sink.answerWith(tooManyRequests(0));
  expect(await transport.send(get())).toMatchObject({ status: 429, retryAfterMs: 0 });
  expect(sink.requests).toHaveLength(4);
});

test('a watch is told at once that the server is too busy: who watches waits in its own way', async () => {
  sink.answerWith(tooManyRequests(7));
  expect(await transport.stream(get())).toMatchObject({ status: 429, retryAfterMs: 7000 });
  expect(sink.requests).toHaveLength(1);
});

test('who no longer wants the answer does not wait', async () => {
  sink.answerWith(tooManyRequests(10));
  const off = new AbortController();
  const asked = transport.send(get(off.signal));
  await sink.waitForRequests(1);
  off.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});

test('nor for a connection that hangs, which takes 10 s to fail, or behind others', async () => {
  await using silent = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(sink.url).port) });
  silent.treatNew((connection) => connection.stall());
  const file = join(folder.path, 'silent');
  await writeFile(file, kubeconfigText({ server: `https://127.0.0.1:${silent.port}`, token: 'static' }));
  const hanging = createTransport(await loadKubeconfig({ file, env: {} }));
  const off = new AbortController();
  const asked = Array.from({ length: 20 }, () => hanging.send({ ...get(off.signal), method: 'DELETE' }));
  await waitFor(() => silent.connections.length === 8, { what: 'all connections to be begun' });
  const beginning = performance.now();
  off.abort(new Error('enough'));
  expect(new Set(await Promise.all(asked.map((one) => one.catch((error: Error) => error.message))))).toEqual(new Set(['enough']));
  expect(performance.now() - beginning).toBeLessThan(3_000);
  await silent.stop();
  await hanging.close();
});

test('a refused token that never changes is not sent again', async () => {
  sink.answerWith({ status: 401, body: 'no' });
  expect(await transport.send(get())).toEqual({ status: 401, text: 'no' });
  expect(sink.requests).toHaveLength(1);
  const { status, body } = await transport.stream(get());
  expect(status).toBe(401);
  expect(Buffer.concat(await Array.fromAsync(body)).toString()).toBe('no');
});

test('answers may come packed, watches never do', async () => {
  await transport.send(get());
  await transport.stream(get());
  expect(sink.requests.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip', undefined]);
});

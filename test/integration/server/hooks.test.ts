import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { github, hexSignature, senders } from '../../fixtures/webhooks/senders.ts';
import { startHttpSink } from '../../support/http-sink.ts';
import { idOf, startServer } from './start-server.ts';

const hook = idOf(github);

test.each(senders)('$name: a good signature is 202 and one hint, a bad one 401 and the same again 200, and none', async (sender) => {
  await using server = await startServer();
  const id = idOf(sender);
  const good = server.sign(sender);
  const statuses = [];
  for (const post of [server.sign(sender, { secret: 'guessed' }), good, good, server.sign(sender, { secret: sender.secrets[1] })]) statuses.push((await server.post(id, post)).status);
  expect(statuses).toEqual([401, 202, 200, 202]);
  const hint = { receiver: id, repositories: sender.repositories, references: sender.references };
  expect(server.hints).toEqual([hint, hint]);
  expect(server.counted).toEqual([`${id} unauthorized`, `${id} accepted`, `${id} duplicate`, `${id} accepted`]);
});

test('the order: method, path, rate, encoding, length, signature, JSON', async () => {
  await using server = await startServer();
  const big = Buffer.alloc(1024 * 1024 + 1, ' ');
  const compressed = { 'content-encoding': 'gzip' };
  const unsigned = { headers: compressed, body: big };
  const put = await fetch(server.url('/hooks/none'), { method: 'PUT', headers: compressed, body: big });
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST']);
  expect(await server.post('none', unsigned)).toMatchObject({ status: 404, body: { result: 'unknown_receiver' } });
  expect(await server.post(hook, unsigned)).toMatchObject({ status: 415, body: { result: 'unsupported' } });
  expect(await server.post(hook, { headers: {}, body: big })).toMatchObject({ status: 413, body: { result: 'too_large' } });
  expect(await server.post(hook, { headers: {}, body: '{' })).toMatchObject({ status: 401, body: { result: 'unauthorized' } });
  expect(await server.post(hook, server.sign(github, { body: '{' }))).toMatchObject({ status: 400, body: { result: 'malformed' } });
  expect(server.counted).toEqual(['(unknown) method', '(unknown) unknown_receiver', `${hook} unsupported`, `${hook} too_large`, `${hook} unauthorized`, `${hook} malformed`]);
});

test('a body of exactly 1 MiB is read, one byte more is not', async () => {
  await using server = await startServer();
  const body = Buffer.alloc(1024 * 1024, ' ');
  body.write(JSON.stringify(github.sample));
  expect((await server.post(hook, server.sign(github, { body }))).status).toBe(202);
  expect((await server.post(hook, server.sign(github, { body: Buffer.concat([body, Buffer.from(' ')]) }))).status).toBe(413);
});

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('%s is 405 on a receiver, elsewhere, and on what cannot be read', async (method) => {
  await using server = await startServer();
  const statuses = [];
  for (const path of [`/hooks/${hook}`, '/hooks/none', '/', '/%zz']) statuses.push((await fetch(server.url(path), { method })).status);
  expect(statuses).toEqual([405, 405, 405, 405]);
});

test.each(['/', '/hooks', '/hooks/', `/hooks/${hook}/`, `/hooks/${hook}x`, `//hooks/${hook}`, `/hooks/%${'GitHub'.charCodeAt(0).toString(16)}itHub`, '/hooks/%zz', '/hooks/__proto__', `/hooks/${'x'.repeat(2000)}`, '/healthz', '/metrics'])(
  'POST %s is 404 for everybody',
  async (path) => {
    await using server = await startServer();
    const { headers, body } = server.sign(github);
    const { status } = await fetch(server.url(path), { method: 'POST', headers, body });
    expect(status).toBe(404);
    expect(server.hints).toEqual([]);
    expect(server.counted).toEqual(['(unknown) unknown_receiver']);
  },
);

test('a query changes nothing', async () => {
  await using server = await startServer();
  expect((await server.post(`${hook}?from=here`, server.sign(github))).status).toBe(202);
});

// 64 MiB of zeros in some hundred KiB.
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 1 });

test.each(['gzip', 'GZIP', 'br', 'deflate', 'zstd', 'gzip, identity', 'x'])('the encoding %s is refused', async (encoding) => {
  await using server = await startServer();
  const body = bomb;
  expect((await server.post(hook, { headers: { ...server.sign(github, { body }).headers, 'content-encoding': encoding }, body })).status).toBe(415);
});

test('no encoding at all may be said', async () => {
  await using server = await startServer();
  const { headers, body } = server.sign(github);
  expect((await server.post(hook, { headers: { ...headers, 'content-encoding': 'identity' }, body })).status).toBe(202);
});

describe('too many requests', () => {
  test('are 429 for that receiver alone, and only until the next second', async () => {
    await using server = await startServer();
    const results = [];
    for (let count = 0; count < 50; count += 1) results.push(await server.post(hook, server.sign(github)));
    expect(results.map(({ status }) => status)).toEqual([...Array.from({ length: 40 }, () => 202), ...Array.from({ length: 10 }, () => 429)]);
    expect(results.at(-1)?.headers['retry-after']).toBe('1');
    expect((await server.post('gitea', { headers: {}, body: '{}' })).status).toBe(401);
    server.pass(1_000);
    expect((await server.post(hook, server.sign(github))).status).toBe(202);
  });
});

test('where hints are not taken the sender is asked to come again, and then it counts once', async () => {
  let isDown = true;
  await using server = await startServer({
    onHint() {
      if (isDown) throw new Error('down');
    },
  });
  const post = server.sign(github);
  const refused = await server.post(hook, post);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10']);
  isDown = false;
  expect([(await server.post(hook, post)).status, (await server.post(hook, post)).status]).toEqual([202, 200]);
  expect(server.hints).toHaveLength(1);
});

test('a kick counts whatever type it has: curl calls JSON a form', async () => {
  await using server = await startServer({ receivers: [{ id: 'ci', provider: 'generic', secrets: async () => ['kick'] }] });
  const body = '{"repo":"https://git.example.com/acme/fleet","ref":"main"}';
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-signature': `sha256=${hexSignature(body, 'kick')}` };
  expect((await server.post('ci', { headers, body })).status).toBe(202);
  expect(server.hints).toEqual([{ receiver: 'ci', repositories: ['git.example.com/acme/fleet'], references: ['refs/heads/main', 'refs/tags/main'] }]);
});

test('nothing that a payload names is called', async () => {
  await using server = await startServer();
  await using sink = await startHttpSink();
  const repository = { html_url: `${sink.url}/acme/fleet`, clone_url: `${sink.url}/acme/fleet.git`, ssh_url: `${sink.url}/x.git`, url: sink.url, hooks_url: sink.url };
  const body = JSON.stringify({ ...github.sample, repository });
  expect((await server.post(hook, server.sign(github, { body }))).status).toBe(202);
  expect(sink.requests).toEqual([]);
});

test('nothing of a request is logged or sent back', async () => {
  await using server = await startServer({
    onHint() {
      throw new Error('canary');
    },
  });
  const body = JSON.stringify({ ...github.sample, ref: 'refs/heads/canary' });
  const answers = [];
  for (const secret of ['canary', github.secrets[0]]) {
    for (const text of [body, '{"canary":', 'canary']) {
      const { headers } = server.sign(github, { body: text, secret, id: 'canary' });
      answers.push(await server.post(`${hook}?canary`, { headers: { ...headers, authorization: 'Bearer canary', cookie: 'canary' }, body: text }));
    }
  }
  answers.push(await server.post('canary', { headers: {}, body: 'canary' }));
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 503, 400, 400, 404]);
  expect(JSON.stringify([answers.map(({ body: said, headers }) => [said, headers]), server.log.lines, server.counted])).not.toContain('canary');
  expect(JSON.stringify(server.log.lines)).not.toContain(github.secrets[0]);
  expect(server.log.lines.length).toBeGreaterThan(1);
});

test("the vector that GitHub publishes is taken as GitHub's, and is no JSON", async () => {
  const secret = "It's a Secret to Everybody";
  await using server = await startServer({ receivers: [{ id: 'vector', provider: 'github', secrets: async () => [secret] }] });
  const headers = { 'x-github-event': 'push', 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' };
  expect((await server.post('vector', { headers, body: 'Hello, World!' })).status).toBe(400);
  expect((await server.post('vector', { headers, body: 'Hello, World?' })).status).toBe(401);
  expect((await server.post('vector', { headers: { 'x-hub-signature': `sha1=${createHmac('sha1', secret).update('Hello, World!').digest('hex')}` }, body: 'Hello, World!' })).status).toBe(401);
});

test('answers come in milliseconds', async () => {
  await using server = await startServer();
  const times: number[] = [];
  for (let count = 0; count < 1_000; count += 1) {
    server.pass(100);
    const post = server.sign(github);
    const before = performance.now();
    const { status } = await server.post(hook, post);
    times.push(performance.now() - before);
    expect(status).toBe(202);
  }
  times.sort((one, other) => one - other);
  process.stdout.write(`202: p50 ${times[500]?.toFixed(2)} ms, p99 ${times[990]?.toFixed(2)} ms, client in the same process\n`);
  expect(server.hints).toHaveLength(1_000);
});

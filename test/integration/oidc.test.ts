import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadKubeconfig } from '../../src/cluster/index.ts';
import { createOidcIdentity } from '../../src/cluster/auth/oidc-identity.ts';
import { createTransport } from '../../src/cluster/transport.ts';
import { certificateAuthority } from '../support/certificate-authority.ts';
import { startHttpSink, type HttpSink, type SinkAnswer } from '../support/http-sink.ts';
import { tempFolder } from '../support/temp-folder.ts';

let issuer: HttpSink;
beforeEach(async () => {
  issuer = await startHttpSink();
});
afterEach(() => issuer.stop());

/** The shape of an ID token; nobody here checks the signature. */
function idToken(name: string, expiresInSeconds: number, now = Date.now()): string {
  const payload = { sub: name, exp: Math.floor(now / 1000) + expiresInSeconds };
  return ['{"alg":"none"}', JSON.stringify(payload), 'signature'].map((part) => Buffer.from(part).toString('base64url')).join('.');
}

function discovery(extra: object = {}): { status: number; body: string } {
  return { status: 200, body: JSON.stringify({ issuer: issuer.url, token_endpoint: `${issuer.url}/token`, ...extra }) };
}

function tokens(answer: object, status = 200): { status: number; body: string } {
  return { status, body: JSON.stringify(answer) };
}

function config(settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { 'idp-issuer-url': issuer.url, 'client-id': 'setpoint', 'refresh-token': 'refresh-1', ...settings };
}

const bearer = (token: string): object => ({ authorization: `Bearer ${token}` });

test('a token that is good is used without asking anybody', async () => {
  const token = idToken('a', 3600);
  const identity = createOidcIdentity({ user: 'me', config: config({ 'id-token': token }) });
  expect(await identity()).toEqual(bearer(token));
  expect(issuer.requests).toHaveLength(0);
});

test('it is renewed a minute before its end, once for many, and the renewed one is kept', async () => {
  let now = Date.now();
  const [first, second] = [idToken('a', 600, now), idToken('b', 7200, now)];
  issuer.answerNext(discovery(), tokens({ id_token: second }));
  const identity = createOidcIdentity({ user: 'me', config: config({ 'id-token': first }), now: () => now });
  now += 530_000;
  expect(await identity()).toEqual(bearer(first));
  now += 40_000;
  expect(await Promise.all(Array.from({ length: 20 }, () => identity()))).toEqual(Array.from({ length: 20 }, () => bearer(second)));
  now += 3_600_000;
  expect(await identity()).toEqual(bearer(second));
  expect(issuer.requests.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual([
    'GET /.well-known/openid-configuration ',
    'POST /token grant_type=refresh_token&refresh_token=refresh-1&client_id=setpoint',
  ]);
});

test('a refresh token is kept until another one is given', async () => {
  const identity = createOidcIdentity({ user: 'me', config: config({}) });
  issuer.answerNext(discovery(), tokens({ id_token: idToken('a', 3600) }));
  const first = await identity();
  issuer.answerNext(discovery(), tokens({ id_token: idToken('b', 3600), refresh_token: 'refresh-2' }));
  const second = await identity(first);
  issuer.answerNext(discovery(), tokens({ id_token: idToken('c', 3600) }));
  await identity(second);
  const used = issuer.requests.flatMap(({ body }) => new URLSearchParams(body).get('refresh_token') ?? []);
  expect(used).toEqual(['refresh-1', 'refresh-1', 'refresh-2']);
});

test.each<[string, object, string | undefined, string]>([
  ['in the header', {}, `Basic ${Buffer.from('setpoint:s%26cret').toString('base64')}`, 'grant_type=refresh_token&refresh_token=refresh-1'],
  ['in the form where the header is not taken', { token_endpoint_auth_methods_supported: ['client_secret_post'] }, undefined, 'grant_type=refresh_token&refresh_token=refresh-1&client_id=setpoint&client_secret=s%26cret'],
])('the secret of the client is sent %s', async (_name, settings, authorization, body) => {
  issuer.answerNext(discovery(settings), tokens({ id_token: idToken('a', 3600) }));
  await createOidcIdentity({ user: 'me', config: config({ 'client-secret': 's&cret' }) })();
  expect(issuer.requests[1]).toMatchObject({ body, headers: authorization === undefined ? {} : { authorization } });
  expect(issuer.requests[1]?.headers['authorization']).toBe(authorization);
});

test('an issuer whose certificate only the kubeconfig’s authority signed', async () => {
  const authority = certificateAuthority();
  const server = createServer(authority.issue({ commonName: 'issuer' }), (request, response) => {
    const { port } = server.address() as AddressInfo;
    response.end(JSON.stringify(request.method === 'GET' ? { token_endpoint: `https://127.0.0.1:${port}/token` } : { id_token: idToken('a', 3600) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const data = Buffer.from(authority.cert).toString('base64');
  try {
    expect(await createOidcIdentity({ user: 'me', config: config({ 'idp-issuer-url': url, 'idp-certificate-authority-data': data }) })()).toMatchObject({ authorization: expect.stringContaining('Bearer ') as string });
    await expect(createOidcIdentity({ user: 'me', config: config({ 'idp-issuer-url': url }) })()).rejects.toThrow('it cannot be reached');
  } finally {
    server.close();
  }
});

const expired = idToken('secret', -10);

test.each<[string, Readonly<Record<string, string>>, () => readonly SinkAnswer[], string]>([
  ['no refresh token', { 'refresh-token': '' }, () => [], 'there is no refresh token: log in again'],
  ['no client', { 'client-id': '' }, () => [], 'the kubeconfig has no idp-issuer-url or no client-id'],
  ['an issuer that does not know itself', {}, () => [{ status: 404, body: '<html>' }], '/.well-known/openid-configuration answered 404'],
  ['a refused refresh token', {}, () => [discovery(), tokens({ error: 'invalid_grant', error_description: 'it has been used' }, 400)], '/token answered 400 (invalid_grant: it has been used)'],
  ['no ID token', {}, () => [discovery(), tokens({ access_token: 'x' })], 'it gave no id_token'],
])('%s is told, with the issuer and without a token', async (_name, settings, answers, problem) => {
  issuer.answerNext(...answers());
  const failure = await createOidcIdentity({ user: 'me', config: config({ 'id-token': expired, ...settings }) })().then(() => new Error('none'), (error: Error) => error);
  expect(failure).toMatchObject({ code: 'ClusterUnauthorized', message: expect.stringContaining(`the OIDC login of user me at ${issuer.url}: `) as string });
  expect(failure.message).toContain(problem);
  expect(failure.message).not.toMatch(/refresh-1|signature/);
});

test('a kubeconfig with an OIDC user renews before a request and after a refusal', async () => {
  await using folder = await tempFolder();
  const server = await startHttpSink();
  const file = join(folder.path, 'config');
  const user = { 'auth-provider': { name: 'oidc', config: config({ 'id-token': expired }) } };
  await writeFile(
    file,
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: server.url } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }),
  );
  const [first, second] = [idToken('a', 3600), idToken('b', 3600)];
  issuer.answerNext(discovery(), tokens({ id_token: first }), discovery(), tokens({ id_token: second }));
  server.answerNext({ status: 401 }, { status: 200 });
  const transport = createTransport(await loadKubeconfig({ file, env: {} }));
  try {
    expect((await transport.send({ method: 'GET', path: '/api', signal: new AbortController().signal })).status).toBe(200);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${first}`, `Bearer ${second}`]);
  } finally {
    await transport.close();
    await server.stop();
  }
});

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import git from 'isomorphic-git';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Access } from '../../src/git/credentials.ts';
import { parseRepositoryUrl, type HttpRepository } from '../../src/git/repository-url.ts';
import { createTransport } from '../../src/git/transport/index.ts';
import { createCanaries } from '../support/canaries.ts';
import { certificateAuthority } from '../support/certificate-authority.ts';
import { freePort } from '../support/free-port.ts';
import type { Repository } from '../support/git-repository.ts';
import { startGitServer } from '../support/git-server.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { fetchInto, look, lookThrough, printedForms, refusalOf } from '../support/git-session.ts';
import { startHttpsGitServer, type HttpsGitServer } from '../support/https-git-server.ts';
import { startHttpProxy } from '../support/proxy.ts';
import { startSilentServer } from '../support/silent-server.ts';
import { tempFolder } from '../support/temp-folder.ts';

const authority = certificateAuthority();
const stranger = certificateAuthority();
const canaries = createCanaries();
const password = canaries.add('password');
const token = canaries.add('token');
const proxyPassword = canaries.add('proxy password');
const basic = (user: string, secret: string): string => `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;

let parts: AsyncDisposableStack;
let server: HttpsGitServer;
let repository: Repository;
let commit: string;

beforeEach(() => {
  parts = new AsyncDisposableStack();
});

afterEach(async () => {
  await parts.disposeAsync();
});

type ServerOptions = Partial<Parameters<typeof startHttpsGitServer>[0]>;

/** A server, for what never gets as far as a repository. */
async function listen(options: ServerOptions = {}): Promise<void> {
  server = parts.use(await startHttpsGitServer({ ...authority.issue({ commonName: 'server' }), ...options }));
}

/** A server with a repository. */
async function start(options: ServerOptions = {}): Promise<void> {
  await listen(options);
  repository = await server.createRepository('fleet');
  commit = await repository.commit({ 'a.yaml': '1' });
}

function at(access: Access = {}, url = `${server.origin}/fleet.git`): HttpRepository {
  const parsed = parseRepositoryUrl(url, { ca: authority.cert, ...access });
  if (parsed.type !== 'http') throw new Error(`${url} is not an HTTP repository`);
  return parsed;
}

describe('credentials', () => {
  test.each([
    ['a user name and password', { username: 'me', password }, basic('me', password)],
    ['a token with any user name', { password: token }, basic('git', token)],
    ['a bearer token', { bearerToken: token }, `Bearer ${token}`],
    ['a password with every sign', { username: 'ü', password: 'p:@/%\n"' }, basic('ü', 'p:@/%\n"')],
  ])('%s open a private repository, from the first request on', async (_name, access, authorization) => {
    await start({ authorization });
    expect(await look(at(access))).toBe(commit);
    await using folder = await tempFolder();
    await fetchInto(folder.path, at(access));
    expect((await git.readCommit({ fs, gitdir: folder.path, oid: commit })).oid).toBe(commit);
    expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(new Set([authorization]));
  });

  test('in the URL are sent as a header, and the path has none of them', async () => {
    await start({ authorization: basic('me', password) });
    expect(await look(at({}, repository.url.replace('//', `//me:${password}@`)))).toBe(commit);
    expect(canaries.foundIn(server.requests.map(({ path, headers }) => `${path} ${headers.host}`).join('\n'))).toEqual([]);
  });

  test.each([
    ['none', {}],
    ['a wrong password', { username: 'me', password: canaries.add('wrong password') }],
    ['a wrong bearer token', { bearerToken: canaries.add('wrong token') }],
  ])('%s: refused after one request', async (_name, access) => {
    await listen({ authorization: basic('me', password) });
    expect(await refusalOf(at(access))).toMatchObject({ code: 'RepositoryUnauthorized', message: expect.stringContaining(Object.keys(access).length === 0 ? 'wants credentials' : 'does not accept these credentials') as string });
    expect(server.requests).toHaveLength(1);
  });
});

describe('certificates', () => {
  test('the server is trusted by its authority', async () => {
    await start();
    expect(await look(at())).toBe(commit);
  });

  test.each([
    ['another authority', { ca: stranger.cert }],
    ['the authorities of the system', { ca: undefined }],
  ])('%s does not vouch for it', async (_name, { ca }) => {
    await listen();
    const { tls: _tls, ...rest } = at({ username: 'me', password });
    const error = await refusalOf({ ...rest, tls: ca === undefined ? {} : { ca } });
    expect(error).toMatchObject({ code: 'RepositoryUnreachable', message: expect.stringContaining('give the authority as ca.crt') as string });
    expect(server.requests).toEqual([]);
  });

  test('of another host', async () => {
    await listen();
    expect(await refusalOf(at({}, at().url.replace('127.0.0.1', 'localhost')))).toMatchObject({ message: expect.stringContaining('for another host name') as string });
  });

  test('that have expired', async () => {
    await listen(authority.issue({ commonName: 'server', until: Date.now() - 86_400_000 }));
    expect(await refusalOf(at())).toMatchObject({ message: expect.stringContaining('has expired') as string });
  });

  test('are not checked where that is asked for, and only there', async () => {
    await start();
    expect(await look(at({ ca: stranger.cert, insecure: true }))).toBe(commit);
    expect(await refusalOf(at({ ca: stranger.cert }))).toMatchObject({ code: 'RepositoryUnreachable' });
  });

  test('of clients are shown where the server wants them', async () => {
    await start({ clientAuthority: authority.cert });
    expect(await look(at(authority.issue({ commonName: 'setpoint' })))).toBe(commit);
  });

  test.each([
    ['none', {}],
    ['one of another authority', stranger.issue({ commonName: 'setpoint' })],
  ])('of clients: %s is refused', async (_name, pair) => {
    await listen({ clientAuthority: authority.cert });
    expect(await refusalOf(at(pair))).toMatchObject({ code: 'RepositoryUnreachable', message: expect.stringContaining('was cut') as string });
    expect(server.requests).toEqual([]);
  });
});

describe('a proxy', () => {
  test('carries everything, and sees no credentials of the repository', async () => {
    await start({ authorization: basic('me', password) });
    const proxy = parts.use(await startHttpProxy());
    expect(await look(at({ username: 'me', password, proxy: { https: `http://127.0.0.1:${proxy.port}` } }))).toBe(commit);
    expect(new Set(proxy.targets)).toEqual(new Set([`127.0.0.1:${server.port}`]));
  });

  test('carries plain HTTP too, without a tunnel', async () => {
    const plain = parts.use(await startGitServer({ username: 'me', password }));
    const fleet = await plain.createRepository('fleet');
    const tip = await fleet.commit({ a: '1' });
    const proxy = parts.use(await startForwardProxy());
    expect(await look(at({ username: 'me', password, proxy: { http: `http://127.0.0.1:${proxy.port}` } }, fleet.url))).toBe(tip);
    expect(proxy.requests).toEqual([`GET ${fleet.url}/info/refs?service=git-upload-pack`, `POST ${fleet.url}/git-upload-pack`]);
  });

  test('is passed by where it is told so', async () => {
    await start();
    const proxy = parts.use(await startHttpProxy());
    expect(await look(at({ proxy: { https: `http://127.0.0.1:${proxy.port}`, except: '127.0.0.0/8' } }))).toBe(commit);
    expect(proxy.targets).toEqual([]);
  });

  test('gets its own credentials', async () => {
    await start();
    const proxy = parts.use(await startHttpProxy({ login: `me:${proxyPassword}` }));
    expect(await look(at({ proxy: { https: `http://me:${proxyPassword}@127.0.0.1:${proxy.port}` } }))).toBe(commit);
  });

  test('that wants other credentials is told from the server, and they are shown nowhere', async () => {
    await listen();
    const proxy = parts.use(await startHttpProxy({ login: 'me:right' }));
    const error = await refusalOf(at({ proxy: { https: `http://me:${proxyPassword}@127.0.0.1:${proxy.port}` } }));
    expect(error).toMatchObject({ code: 'RepositoryUnreachable', message: expect.stringContaining('the proxy wants other credentials (407)') as string });
    expect(error.message).toContain(`through the proxy http://127.0.0.1:${proxy.port}`);
    expect(canaries.foundIn(printedForms(error))).toEqual([]);
  });

  test('that is not there is named', async () => {
    await listen();
    const port = await freePort();
    const error = await refusalOf(at({ proxy: { https: `http://me:${proxyPassword}@127.0.0.1:${port}` } }));
    expect(error.message).toContain(`through the proxy http://127.0.0.1:${port}: the connection was refused`);
    expect(canaries.foundIn(printedForms(error))).toEqual([]);
  });
});

describe('redirects', () => {
  const moved = (from: string, to: string) => {
    server.answerWith(({ path }) => (path.startsWith(from) ? { status: 301, headers: { location: path.replace(from, to) } } : undefined));
  };

  test('to another path of the same server are followed, for what comes after too', async () => {
    await start({ authorization: basic('me', password) });
    moved('/fleet/', '/fleet.git/');
    const from = at({ username: 'me', password }, repository.url.replace('.git', ''));
    expect(await look(from)).toBe(commit);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /fleet/info/refs?service=git-upload-pack', 'GET /fleet.git/info/refs?service=git-upload-pack', 'POST /fleet.git/git-upload-pack']);
    await using folder = await tempFolder();
    await fetchInto(folder.path, from);
  });

  test.each([301, 302, 303, 307, 308])('%d to another server is not followed: it sees nothing', async (status) => {
    await listen();
    const other = parts.use(await startHttpsGitServer(authority.issue({ commonName: 'server' })));
    server.answerWith(({ path }) => ({ status, headers: { location: `${other.origin}${path}` } }));
    const error = await refusalOf(at({ username: 'me', password }));
    expect(error).toMatchObject({ code: 'RepositoryInvalid', message: expect.stringContaining(other.origin) as string });
    expect(error.message).toContain('Give its new URL');
    expect(other.requests).toEqual([]);
  });

  test('of the second request, the one with a body, are not followed to another server either', async () => {
    await start();
    const other = parts.use(await startHttpsGitServer(authority.issue({ commonName: 'server' })));
    server.answerWith(({ method, path }) => (method === 'POST' ? { status: 307, headers: { location: `${other.origin}${path}` } } : undefined));
    expect(await refusalOf(at({ bearerToken: token }))).toMatchObject({ code: 'RepositoryInvalid' });
    expect(other.requests).toEqual([]);
  });

  test.each([
    ['without a place', {}],
    ['to http', { location: 'http://127.0.0.1/fleet.git/info/refs?service=git-upload-pack' }],
    ['to a host that only looks the same', { location: 'https://127.0.0.1@evil.invalid/fleet.git/info/refs?service=git-upload-pack' }],
    ['to a page for signing in', { location: '/login?next=/fleet.git' }],
    ['to nonsense', { location: 'https://[' }],
    ['to another scheme', { location: 'file:///etc/passwd' }],
  ])('%s are an error', async (_name, headers) => {
    await listen();
    server.answerWith(() => ({ status: 302, headers }));
    expect(await refusalOf(at({ username: 'me', password }))).toMatchObject({ code: 'RepositoryInvalid', message: expect.stringContaining('has moved') as string });
    expect(server.requests).toHaveLength(1);
  });

  test('in a circle end after the first', async () => {
    await listen();
    server.answerWith(({ path }) => ({ status: 302, headers: { location: path } }));
    expect(await refusalOf(at())).toMatchObject({ code: 'RepositoryInvalid' });
    expect(server.requests).toHaveLength(2);
  });
});

describe('an answer of', () => {
  test.each([
    [203, {}, 'RepositoryUnauthorized', 'wants credentials'],
    [401, {}, 'RepositoryUnauthorized', 'wants credentials'],
    [403, {}, 'RepositoryUnauthorized', 'right to read'],
    [404, {}, 'RepositoryNotFound', 'no repository at'],
    [410, {}, 'RepositoryNotFound', 'no repository at'],
    [400, {}, 'RepositoryInvalid', 'answered 400'],
    [429, { 'retry-after': '37' }, 'RepositoryUnreachable', '37 s'],
    [429, { 'retry-after': 'Wed, 01 Jan 2031 00:00:00 GMT' }, 'RepositoryUnreachable', 'until 2031-01-01T00:00:00.000Z'],
    [429, { 'retry-after': 'soon' }, 'RepositoryUnreachable', 'too often'],
    [429, {}, 'RepositoryUnreachable', 'too often'],
    [500, {}, 'RepositoryUnreachable', 'answered 500'],
    [503, { 'retry-after': '5' }, 'RepositoryUnreachable', '5 s'],
    [304, {}, 'RepositoryInvalid', 'answered 304'],
    [204, {}, 'RepositoryUnreachable', 'answered 204'],
  ])('%d %j is explained', async (status, headers, code, message) => {
    await listen();
    server.answerWith(() => ({ status, headers }));
    expect(await refusalOf(at())).toMatchObject({ code, message: expect.stringContaining(message) as string });
  });

  const advertisement = 'application/x-git-upload-pack-advertisement';

  test.each([
    ['a page', 'text/html', '<html>'],
    ['a page that claims to be Git', advertisement, '<html>'],
    ['references without a type, as of a server that only has files', 'text/plain', `${'1'.repeat(40)}\trefs/heads/main\n`],
    ['nothing', advertisement, ''],
    ['half a packet', advertisement, '001e# ser'],
    ['packets of something else', advertisement, '0008abcd0000'],
  ])('%s is no repository', async (_name, type, body) => {
    await listen();
    server.answerWith(() => ({ status: 200, headers: { 'content-type': type }, body }));
    expect(await refusalOf(at())).toMatchObject({ code: 'RepositoryInvalid', message: expect.stringContaining('does not answer as a Git repository') as string });
  });
});

test('connections are kept from one session to the next, and end with the transport', async () => {
  await start();
  const transport = createTransport(at());
  for (let turn = 0; turn < 3; turn += 1) expect(await lookThrough(transport)).toBe(commit);
  // The end of one answer may be noticed only when the next request is under way: that one gets a second connection.
  expect(new Set(server.requests.map(({ clientPort }) => clientPort)).size).toBeLessThanOrEqual(2);
  await transport.close();
});

test('a transport that is closed lets a session finish', async () => {
  await start();
  const transport = createTransport(at());
  await using session = transport.session(AbortSignal.timeout(20_000));
  await transport.close();
  expect(await git.listServerRefs({ http: session.http, url: session.url, protocolVersion: 2, prefix: 'refs/heads/' })).toHaveLength(1);
});

describe('limits', () => {
  test('more bytes than allowed end the fetch, by that name', async () => {
    await start();
    await repository.commit({ 'a.txt': randomBytes(200_000).toString('hex') });
    await using folder = await tempFolder();
    await expect(fetchInto(folder.path, at(), { maxBytes: 50_000 })).rejects.toMatchObject({ code: 'SourceTooLarge' });
  });

  test('a server that takes the request and says nothing is left after the idle time', async () => {
    await listen();
    server.answerWith(() => 'hang');
    expect(await refusalOf(at(), { limits: { idleMs: 300 } })).toMatchObject({ code: 'RepositoryUnreachable', message: expect.stringContaining('no answer in time') as string });
  });

  test('a server that never finishes the handshake is left after the time for connecting', async () => {
    const silent = parts.use(await startSilentServer());
    const from = parseRepositoryUrl(`https://127.0.0.1:${silent.port}/x`) as HttpRepository;
    expect(await refusalOf(from, { limits: { connectMs: 300 } })).toMatchObject({ code: 'RepositoryUnreachable', message: expect.stringContaining('no answer in time') as string });
  });

  test('an abort ends the wait with its own reason', async () => {
    await listen();
    const abort = new AbortController();
    server.answerWith(() => {
      abort.abort(new Error('enough'));
      return 'hang';
    });
    await expect(look(at(), { signal: abort.signal })).rejects.toThrow('enough');
  });
});

test.each([
  ['a port where nothing listens', async () => `https://127.0.0.1:${await freePort()}/x`, 'refused'],
  ['a host that does not exist', async () => 'https://no-such-host.invalid/x', 'host name'],
])('%s is said to be so', async (_name, url, message) => {
  expect(await refusalOf(parseRepositoryUrl(await url()) as HttpRepository)).toMatchObject({ code: 'RepositoryUnreachable', message: expect.stringContaining(message) as string });
});

test('no error shows a secret, however it is printed, even where the server echoes it', async () => {
  await listen({ authorization: 'Basic other' });
  const faults: readonly Parameters<HttpsGitServer['answerWith']>[0][] = [
    () => undefined,
    ({ headers }) => ({ status: 403, headers: { 'x-echo': String(headers.authorization) }, body: String(headers.authorization) }),
    ({ headers }) => ({ status: 500, body: `failed with ${headers.authorization} ${password}` }),
    ({ headers }) => ({ status: 200, body: `<html>${headers.authorization} ${password}` }),
    ({ headers }) => ({ status: 200, headers: { 'content-type': 'application/x-git-upload-pack-advertisement' }, body: `0030# ${headers.authorization}` }),
    ({ headers }) => ({ status: 429, headers: { 'retry-after': String(headers.authorization) } }),
    ({ headers }) => ({ status: 302, headers: { location: `/${encodeURIComponent(String(headers.authorization))}?${password}` } }),
    ({ headers }) => ({ status: 302, headers: { location: `https://other.invalid/${encodeURIComponent(String(headers.authorization))}` } }),
    () => 'hang',
  ];
  for (const fault of faults) {
    server.answerWith(fault);
    for (const access of [{ username: 'me', password }, { bearerToken: token }]) {
      const error = await refusalOf(at(access), { limits: { idleMs: 300 } });
      expect(error.name).toBe('SetpointError');
      expect(canaries.foundIn(printedForms(error))).toEqual([]);
    }
  }
});

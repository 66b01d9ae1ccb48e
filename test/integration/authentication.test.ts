import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadKubeconfig } from '../../src/cluster/index.ts';
import { createTransport, type ApiAnswer, type Transport } from '../../src/cluster/transport.ts';
import { certificateAuthority } from '../support/certificate-authority.ts';
import type { AuditLog } from '../support/cluster/audit-log.ts';
import type { TestNamespace } from '../support/cluster/test-cluster.ts';
import { execPlugin } from '../support/exec-plugin.ts';
import { startHttpProxy, startSocksProxy } from '../support/proxy.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

interface Config {
  readonly clusters: readonly [{ readonly name: string; readonly cluster: Readonly<Record<string, unknown>> }];
  readonly users: readonly [{ readonly name: string; readonly user: { readonly token: string } }];
}

const admin = sharedCluster();
const signal = new AbortController().signal;
let given: Config;
let namespace: TestNamespace;
let folder: TempFolder;
let number = 0;

beforeAll(async () => {
  given = JSON.parse(await readFile(admin.kubeconfig, 'utf8')) as Config;
  namespace = await admin.createNamespace();
});
beforeEach(async () => {
  folder = await tempFolder();
  return () => folder.remove();
});
afterAll(() => namespace[Symbol.asyncDispose]());

const adminToken = (): string => given.users[0].user.token;
const authorityOfServer = (): string => Buffer.from(String(given.clusters[0].cluster['certificate-authority-data']), 'base64').toString();

/** The harness' kubeconfig with another user, and other settings of the cluster. */
async function open(user: object, cluster: object = given.clusters[0].cluster): Promise<Transport & AsyncDisposable> {
  number += 1;
  const file = join(folder.path, `config-${number}`);
  await writeFile(file, JSON.stringify({ ...given, users: [{ name: 'test', user }], clusters: [{ name: 'test', cluster }] }));
  const transport = createTransport(await loadKubeconfig({ file, env: {} }));
  return { ...transport, [Symbol.asyncDispose]: () => transport.close() };
}

async function get(transport: Transport, name = 'none'): Promise<ApiAnswer> {
  return transport.send({ method: 'GET', path: `/api/v1/namespaces/${namespace.name}/configmaps/${name}`, signal });
}

/** Who the API server says asked for that ConfigMap, one for each request. */
async function whoAsked(log: AuditLog, name: string): Promise<readonly string[]> {
  const events = await log.events();
  return events.filter(({ objectRef }) => objectRef?.namespace === namespace.name && objectRef.name === name).map(({ user }) => user.username);
}

describe('a credential plugin', () => {
  test('whose token the server refuses is run once more, and the request succeeds', async () => {
    const plugin = await execPlugin(folder.path);
    await plugin.answer({ token: 'refused', expirationTimestamp: '2099-01-01T00:00:00Z' }, { token: adminToken() });
    await using transport = await open({ exec: plugin.exec });
    expect((await get(transport)).status).toBe(404);
    expect((await get(transport)).status).toBe(404);
    expect(await plugin.runs()).toHaveLength(2);
  });

  test('is run once for twenty requests, and once more when all of them are refused', async () => {
    const plugin = await execPlugin(folder.path);
    await plugin.answer({ token: 'refused' }, { token: adminToken() });
    await using transport = await open({ exec: plugin.exec });
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(transport)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 404));
    expect(await plugin.runs()).toHaveLength(2);
  });

  test('whose token has ended is run again before the next request', async () => {
    const plugin = await execPlugin(folder.path);
    await plugin.answer({ token: adminToken(), expirationTimestamp: '2020-01-01T00:00:00Z' }, { token: adminToken(), expirationTimestamp: '2099-01-01T00:00:00Z' });
    await using transport = await open({ exec: plugin.exec });
    for (let request = 0; request < 4; request += 1) expect((await get(transport)).status).toBe(404);
    expect(await plugin.runs()).toHaveLength(2);
  });

  test('whose second token is refused too: then that is the answer', async () => {
    const plugin = await execPlugin(folder.path);
    await plugin.answer({ token: 'one' }, { token: 'two' });
    await using transport = await open({ exec: plugin.exec });
    expect((await get(transport)).status).toBe(401);
    expect(await plugin.runs()).toHaveLength(2);
  });

  test('that fails after a refusal is what is told', async () => {
    const plugin = await execPlugin(folder.path);
    await plugin.answer({ token: 'refused' }, {});
    await using transport = await open({ exec: plugin.exec });
    await expect(get(transport)).rejects.toThrow('of user test: its ExecCredential has neither a token');
  });

  test('is run again for a watch that is refused', async () => {
    const plugin = await execPlugin(folder.path);
    await plugin.answer({ token: 'refused' }, { token: adminToken() });
    await using transport = await open({ exec: plugin.exec });
    const off = new AbortController();
    const path = `/api/v1/namespaces/${namespace.name}/configmaps`;
    const { status } = await transport.stream({ method: 'GET', path, query: { watch: 'true' }, signal: off.signal });
    off.abort();
    expect(status).toBe(200);
    expect(await plugin.runs()).toHaveLength(2);
  });

  test('may give a certificate, and the next one makes another connection', async () => {
    const issued = await authority();
    const [one, two] = ['plugin-one', 'plugin-two'].map((commonName) => issued.issue({ commonName, organisations: ['system:masters'] }));
    const plugin = await execPlugin(folder.path);
    const status = { clientCertificateData: one?.cert, clientKeyData: one?.key };
    await plugin.answer({ ...status, expirationTimestamp: '2020-01-01T00:00:00Z' }, { clientCertificateData: two?.cert, clientKeyData: two?.key });
    const log = await admin.auditLog();
    await using transport = await open({ exec: plugin.exec });
    await get(transport, 'by-plugin');
    await get(transport, 'by-plugin');
    expect(await whoAsked(log, 'by-plugin')).toEqual(['plugin-one', 'plugin-two']);
  });

  test('that takes long does not hold who no longer waits', async () => {
    await using transport = await open({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: ['-e', 'setTimeout(() => {}, 2000)'] } });
    const off = new AbortController();
    const asked = transport.send({ method: 'GET', path: '/version', signal: off.signal });
    off.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });
});

async function authority(): Promise<ReturnType<typeof certificateAuthority>> {
  return certificateAuthority(await readFile(join(admin.description.folder, 'client-authority.key'), 'utf8'));
}

async function accountToken(name: string): Promise<string> {
  await admin.kubectl(['create', 'serviceaccount', name, '-n', namespace.name]);
  return (await admin.kubectl(['create', 'token', name, '-n', namespace.name])).trim();
}

describe('what is rotated under a running client', () => {
  test('a token file', async () => {
    const file = join(folder.path, 'token');
    await writeFile(file, `${await accountToken('first')}\n`);
    const log = await admin.auditLog();
    await using transport = await open({ tokenFile: file });
    expect((await get(transport, 'by-file')).status).toBe(403);
    await writeFile(file, await accountToken('second'));
    await waitFor(async () => (await get(transport, 'by-file')) && (await whoAsked(log, 'by-file')).at(-1)?.endsWith(':second'), { what: 'a request of the second account' });
    expect((await whoAsked(log, 'by-file'))[0]).toBe(`system:serviceaccount:${namespace.name}:first`);
  });

  test('a token file whose old token is refused is read again for that very request', async () => {
    const file = join(folder.path, 'token');
    await writeFile(file, 'refused');
    await using transport = await open({ tokenFile: file });
    expect((await get(transport)).status).toBe(401);
    await writeFile(file, adminToken());
    expect((await get(transport)).status).toBe(404);
  });

  test('a client certificate, also while its two files do not belong together', async () => {
    const issued = await authority();
    const [cert, key] = [join(folder.path, 'tls.crt'), join(folder.path, 'tls.key')];
    const [one, two] = ['cert-one', 'cert-two'].map((commonName) => issued.issue({ commonName, organisations: ['system:masters'] }));
    await writeFile(cert, one?.cert ?? '');
    await writeFile(key, one?.key ?? '');
    const log = await admin.auditLog();
    await using transport = await open({ 'client-certificate': cert, 'client-key': key });
    expect((await get(transport, 'by-cert')).status).toBe(404);
    await writeFile(cert, two?.cert ?? '');
    const until = performance.now() + 1200;
    await waitFor(async () => (await get(transport, 'by-cert')).status === 404 && performance.now() > until, { what: 'the new certificate to be seen without its key' });
    expect(new Set(await whoAsked(log, 'by-cert'))).toEqual(new Set(['cert-one']));
    await writeFile(key, two?.key ?? '');
    await waitFor(async () => (await get(transport, 'by-cert')) && (await whoAsked(log, 'by-cert')).at(-1) === 'cert-two', { what: 'a request with the second certificate' });
  });
});

describe('who is asking', () => {
  test('a certificate written into the kubeconfig', async () => {
    const { cert, key } = (await authority()).issue({ commonName: 'by-data', organisations: ['system:masters'] });
    const log = await admin.auditLog();
    await using transport = await open({ 'client-certificate-data': Buffer.from(cert).toString('base64'), 'client-key-data': Buffer.from(key).toString('base64') });
    expect((await get(transport, 'by-data')).status).toBe(404);
    expect(await whoAsked(log, 'by-data')).toEqual(['by-data']);
  });

  test('a certificate of another authority is nobody', async () => {
    const { cert, key } = certificateAuthority().issue({ commonName: 'stranger', organisations: ['system:masters'] });
    await using transport = await open({ 'client-certificate-data': Buffer.from(cert).toString('base64'), 'client-key-data': Buffer.from(key).toString('base64') });
    expect((await get(transport)).status).toBe(401);
  });

  test('somebody in whose name we ask, with groups, uid and extra', async () => {
    const log = await admin.auditLog();
    const extra = { 'example.com/scopes': ['read', 'write'] };
    await using transport = await open({ token: adminToken(), as: 'jane', 'as-uid': '42', 'as-groups': ['dev', 'ops'], 'as-user-extra': extra });
    expect((await get(transport, 'by-jane')).status).toBe(403);
    const event = (await log.events()).find(({ objectRef }) => objectRef?.name === 'by-jane');
    expect(event?.impersonatedUser).toEqual({ username: 'jane', uid: '42', groups: ['dev', 'ops', 'system:authenticated'], extra });
  });
});

describe('how the server is reached', () => {
  const server = (): string => String(given.clusters[0].cluster['server']);
  const user = (): object => ({ token: adminToken() });

  test.each<[string, object, string]>([
    ['by a name that its certificate has', { 'tls-server-name': 'kubernetes.default.svc' }, 'answer 404'],
    ['by a name that its certificate does not have', { 'tls-server-name': 'other.example' }, 'its certificate is for another host name'],
    ['without checking its certificate', { 'certificate-authority-data': '', 'insecure-skip-tls-verify': true }, 'answer 404'],
    ['with an authority that did not sign its certificate', { 'certificate-authority-data': Buffer.from(certificateAuthority().cert).toString('base64') }, 'not signed by the authority in the kubeconfig'],
  ])('%s', async (_name, settings, expected) => {
    await using transport = await open(user(), { ...given.clusters[0].cluster, ...settings });
    const said = await get(transport).then(({ status }) => `answer ${status}`, (error: Error) => error.message);
    expect(said).toContain(expected);
  });

  test('over plain HTTP, as kubectl proxy serves it', async () => {
    const [command, ...args] = admin.description.kubectl;
    const proxy = spawn(command, [...args, '--kubeconfig', admin.kubeconfig, 'proxy', '--port=0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [line] = (await once(createInterface(proxy.stdout), 'line')) as [string];
      await using transport = await open({}, { server: `http://${/127\.0\.0\.1:\d+/.exec(line)?.[0]}` });
      expect((await get(transport)).status).toBe(404);
    } finally {
      proxy.kill();
    }
  });

  test('through an HTTP proxy with a login', async () => {
    await using proxy = await startHttpProxy({ login: 'me:s3cret' });
    const cluster = { ...given.clusters[0].cluster, 'proxy-url': `http://me:s3cret@127.0.0.1:${proxy.port}` };
    await using transport = await open(user(), cluster);
    expect((await get(transport)).status).toBe(404);
    expect(proxy.targets).toEqual([new URL(server()).host]);
  });

  test('through an HTTPS proxy that the cluster’s authority vouches for', async () => {
    const issued = await authority();
    await using proxy = await startHttpProxy({ tls: issued.issue({ commonName: 'proxy' }) });
    const authorities = Buffer.from(authorityOfServer() + issued.cert).toString('base64');
    const cluster = { server: server(), 'certificate-authority-data': authorities, 'proxy-url': `https://127.0.0.1:${proxy.port}` };
    await using transport = await open(user(), cluster);
    expect((await get(transport)).status).toBe(404);
    expect(proxy.targets).toHaveLength(1);
  });

  test('through a SOCKS 5 proxy, watches too', async () => {
    await using proxy = await startSocksProxy();
    await using transport = await open(user(), { ...given.clusters[0].cluster, 'proxy-url': `socks5://127.0.0.1:${proxy.port}` });
    expect((await get(transport)).status).toBe(404);
    const off = new AbortController();
    const path = `/api/v1/namespaces/${namespace.name}/configmaps`;
    expect(await transport.stream({ method: 'GET', path, query: { watch: 'true' }, signal: off.signal })).toMatchObject({ status: 200 });
    off.abort();
    expect(proxy.targets).toEqual([new URL(server()).host, new URL(server()).host]);
  });

  test('a proxy that refuses or is not there is named, without its password', async () => {
    await using proxy = await startHttpProxy({ login: 'me:s3cret' });
    for (const [url, reason] of [[`http://me:wr0ng@127.0.0.1:${proxy.port}`, '407'], ['http://me:wr0ng@127.0.0.1:1', 'the connection was refused']] as const) {
      await using transport = await open(user(), { ...given.clusters[0].cluster, 'proxy-url': url });
      const failure = await get(transport).then(({ status }) => new Error(`answer ${status}`), (error: Error) => error);
      expect(failure).toMatchObject({ code: 'ClusterUnreachable', message: expect.stringContaining(`through the proxy ${new URL(url).host}: `) as string });
      expect(failure.message).toContain(reason);
      expect(failure.message).not.toContain('wr0ng');
    }
  });
});

describe('a long answer', () => {
  test('comes packed, unless the kubeconfig forbids it, and reads the same', async () => {
    const data = { text: 'the same again and again. '.repeat(400) };
    const items = Array.from({ length: 40 }, (_, at) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `long-${at}`, namespace: namespace.name }, data }));
    await admin.apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const list = async (settings: object): Promise<{ readonly bytes: number; readonly items: readonly unknown[] }> => {
      await using proxy = await startHttpProxy();
      await using transport = await open({ token: adminToken() }, { ...given.clusters[0].cluster, 'proxy-url': `http://127.0.0.1:${proxy.port}`, ...settings });
      const { text } = await transport.send({ method: 'GET', path: `/api/v1/namespaces/${namespace.name}/configmaps`, signal });
      return { bytes: proxy.received(), items: (JSON.parse(text) as { items: unknown[] }).items };
    };
    const [packed, plain] = [await list({}), await list({ 'disable-compression': true })];
    expect(plain.bytes).toBeGreaterThan(400_000);
    expect(packed.bytes).toBeLessThan(plain.bytes / 10);
    expect(packed.items).toEqual(plain.items);
  });
});

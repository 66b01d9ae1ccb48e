import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadKubeconfig, type Connection } from '../../../src/cluster/kubeconfig.ts';
import { certificateAuthority } from '../../support/certificate-authority.ts';
import { tempFolder, type TempFolder } from '../../support/temp-folder.ts';

const authority = certificateAuthority();
const [alice, bob] = ['alice', 'bob'].map((commonName) => authority.issue({ commonName }));
const base64 = (text = ''): string => Buffer.from(text).toString('base64');

let folder: TempFolder;
let count = 0;
beforeAll(async () => {
  folder = await tempFolder();
});
afterAll(() => folder.remove());
// A folder for each test; kubeconfigs refer to files beside them.
let here = '';
beforeEach(() => {
  count += 1;
  here = join(folder.path, String(count));
});

async function write(name: string, text: string): Promise<string> {
  const path = join(here, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

interface Parts {
  readonly user?: object;
  readonly cluster?: object;
  readonly name?: string;
}

function config({ user = {}, cluster = {}, name = 'test' }: Parts): string {
  return JSON.stringify({
    clusters: [{ name, cluster: { server: 'https://c.example', ...cluster } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}

async function load(parts: Parts): Promise<Connection> {
  return loadKubeconfig({ file: await write('config', config(parts)), env: {} });
}

async function headersOf(user: object): Promise<object> {
  return (await (await load({ user })).credentials()).headers;
}

describe('who we are', () => {
  test.each<[string, object, object]>([
    ['nobody', {}, {}],
    ['a token', { token: 'abc\n' }, { authorization: 'Bearer abc' }],
    ['a user and a password', { username: 'me', password: 'pä:ss' }, { authorization: `Basic ${base64('me:pä:ss')}` }],
    ['a token outweighs a plugin, as in kubectl', { token: 'abc', exec: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1' } }, { authorization: 'Bearer abc' }],
    [
      'somebody else',
      { token: 'abc', as: 'jane', 'as-uid': '7', 'as-groups': ['dev', 'ops'], 'as-user-extra': { 'example.com/Scope (x)': ['a', 'b'] } },
      {
        authorization: 'Bearer abc',
        'impersonate-user': 'jane',
        'impersonate-uid': '7',
        'impersonate-group': ['dev', 'ops'],
        'impersonate-extra-example.com%2FScope%20%28x%29': ['a', 'b'],
      },
    ],
    ['groups without a user are nobody’s', { 'as-groups': ['dev'] }, {}],
  ])('%s', async (_name, user, headers) => {
    expect(await headersOf(user)).toEqual(headers);
  });

  test('a token file is relative to the kubeconfig and outweighs a token', async () => {
    await write('secrets/token', ' from-file\n');
    expect(await headersOf({ token: 'abc', tokenFile: 'secrets/token' })).toEqual({ authorization: 'Bearer from-file' });
  });

  test('a plugin with a path is relative to the kubeconfig, one without is looked for', async () => {
    await write('config', '');
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never' };
    await expect(headersOf({ exec: { ...exec, command: './bin/plugin' } })).rejects.toThrow(join(here, 'bin/plugin'));
    await expect(headersOf({ exec: { ...exec, command: 'no-such-plugin' } })).rejects.toThrow('plugin no-such-plugin of user test');
  });

  test.each([
    ['gcp', 'gke-gcloud-auth-plugin'],
    ['azure', 'kubelogin'],
    ['openstack', 'use exec instead'],
  ])('the auth-provider %s is refused with what took its place', async (name, advice) => {
    await expect(load({ user: { 'auth-provider': { name, config: {} } } })).rejects.toThrow(advice);
  });
});

describe('certificates', () => {
  test('by data and by file, and what is in the kubeconfig outweighs a file', async () => {
    await write('alice.crt', alice?.cert ?? '');
    await write('alice.key', alice?.key ?? '');
    const byFile = { 'client-certificate': 'alice.crt', 'client-key': 'alice.key' };
    const byData = { 'client-certificate-data': base64(bob?.cert), 'client-key-data': base64(bob?.key) };
    const certOf = async (user: object): Promise<string> => String((await (await load({ user })).credentials()).tls.cert);
    expect(await certOf(byFile)).toBe(alice?.cert);
    expect(await certOf(byData)).toBe(bob?.cert);
    expect(await certOf({ ...byFile, ...byData })).toBe(bob?.cert);
  });

  test.each<[string, object, RegExp]>([
    ['a certificate without a key', { 'client-certificate-data': base64(alice?.cert) }, /user test of the kubeconfig has a client-certificate and no client-key/],
    ['a key without a certificate', { 'client-key-data': base64(alice?.key) }, /has a client-key and no client-certificate/],
    ['the key of another', { 'client-certificate-data': base64(alice?.cert), 'client-key-data': base64(bob?.key) }, /user test cannot be used: the key belongs to another certificate/],
    ['no certificate at all', { 'client-certificate-data': base64('garbage'), 'client-key-data': base64(bob?.key) }, /user test cannot be used: /],
  ])('%s is told, without the key', async (_name, user, message) => {
    const failure = await headersOf(user).catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({ code: 'KubeconfigInvalid', message: expect.stringMatching(message) as string });
    expect((failure as Error).message).not.toContain('PRIVATE KEY');
  });

  test('an authority that is none is told', async () => {
    const connection = await load({ cluster: { 'certificate-authority-data': base64('-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n') } });
    await expect(connection.credentials()).rejects.toThrow('the credentials of context test cannot be had');
  });

  test('how far the server is trusted', async () => {
    const cluster = { 'certificate-authority-data': base64(authority.cert), 'tls-server-name': 'other', 'insecure-skip-tls-verify': true };
    expect((await (await load({ cluster })).credentials()).tls).toEqual({ ca: Buffer.from(authority.cert), servername: 'other', rejectUnauthorized: false });
  });

  test('nothing new is the same object, so that connections are kept', async () => {
    await write('ca.crt', authority.cert);
    const connection = await load({ user: { token: 'abc' }, cluster: { 'certificate-authority': 'ca.crt' } });
    const first = await connection.credentials();
    expect(await connection.credentials()).toBe(first);
    expect(await connection.credentials(first)).toBe(first);
  });
});

describe('where', () => {
  test.each<[string, string, string]>([
    ['a slash at the end', 'https://c.example/', 'https://c.example'],
    ['a path', 'https://c.example/k8s/clusters/c-1', 'https://c.example/k8s/clusters/c-1'],
    ['a plain server', 'http://127.0.0.1:8001', 'http://127.0.0.1:8001'],
    ['no scheme', '127.0.0.1:8001', 'http://127.0.0.1:8001'],
  ])('a server with %s', async (_name, server, expected) => {
    expect((await load({ cluster: { server } })).server).toBe(expected);
  });

  test.each<[string, object, RegExp]>([
    ['a server that is no URL', { server: 'ftp://c.example' }, /the server of context test must be an http or https URL, and is ftp:\/\/c.example/],
    ['a proxy that is none', { 'proxy-url': 'socks4://me:secret@p' }, /the proxy-url of context test must be an http, https or socks5 URL, and is socks4:$/],
  ])('%s is told', async (_name, cluster, message) => {
    await expect(load({ cluster })).rejects.toThrow(message);
  });

  test.each<[string, string | undefined]>([
    ['http://p:3128', 'http://p:3128'],
    ['socks5h://p', 'socks5://p'],
    ['', undefined],
  ])('the proxy %j', async (given, expected) => {
    expect((await load({ cluster: { 'proxy-url': given } })).proxyUrl).toBe(expected);
  });

  test('compression can be forbidden', async () => {
    expect((await load({})).compression).toBe(true);
    expect((await load({ cluster: { 'disable-compression': true } })).compression).toBe(false);
  });
});

describe('several kubeconfigs', () => {
  test('the first that has a name says what it is, and one that is missing is passed over', async () => {
    const first = await write('first', config({ cluster: { server: 'https://first' } }));
    const second = await write('second', config({ cluster: { server: 'https://second' } }));
    const other = await write('other', config({ name: 'other', cluster: { server: 'https://other' } }));
    const empty = await write('empty', '');
    const env = { KUBECONFIG: [join(here, 'missing'), empty, first, second, other].join(delimiter) };
    expect(await loadKubeconfig({ env })).toMatchObject({ context: 'test', server: 'https://first' });
    expect(await loadKubeconfig({ env, context: 'other' })).toMatchObject({ context: 'other', server: 'https://other' });
  });

  test('what is wrong with another context does not matter', async () => {
    const text = JSON.parse(config({})) as Record<string, unknown[]>;
    text['contexts']?.unshift({ name: 'broken', context: {} });
    text['clusters']?.unshift({ name: 'broken', cluster: {} }, {});
    expect(await loadKubeconfig({ file: await write('config', JSON.stringify(text)), env: {} })).toMatchObject({ context: 'test' });
  });
});

describe('what is wrong is named', () => {
  const of = (changes: object): string => JSON.stringify({ ...(JSON.parse(config({})) as object), ...changes });
  test.each<[string, string, string | undefined, string]>([
    ['no YAML', 'a: [', undefined, 'cannot be read'],
    ['something else', '42', undefined, 'names no current context'],
    ['no current context', of({ 'current-context': '' }), undefined, 'names no current context: give --context'],
    ['a context that is not there', of({}), 'prod', 'has no context prod; it has test'],
    ['a current context that is not there', of({ 'current-context': 'gone' }), undefined, 'has no context gone; it has test'],
    ['a cluster that is not there', of({ clusters: [] }), undefined, 'is for cluster test, which is not in it; it has none'],
    ['a user who is not there', of({ users: [] }), undefined, 'is for user test, who is not in it; it has none'],
  ])('%s', async (_name, text, context, message) => {
    const file = await write('config', text);
    await expect(loadKubeconfig({ file, context, env: {} })).rejects.toMatchObject({ code: 'KubeconfigInvalid', message: expect.stringContaining(message) as string });
  });

  test.each([
    ['an indentation', 'users:\n- name: a\n  user:\n    token: s3cret-token\n   x: 1\n'],
    ['a quote', 'users:\n- user: {token: "s3cret-token}\n'],
    ['a stray text', 'a: 1\n"s3cret-token" b\n'],
    ['a key twice', 'token: s3cret-token\ntoken: s3cret-token\n'],
    ['an alias', 'token: *s3cret-token\n'],
  ])('no YAML because of %s, without the text around it', async (_name, text) => {
    const failure = await loadKubeconfig({ file: await write('config', text), env: {} }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'KubeconfigInvalid', message: expect.stringContaining('it is no YAML') as string });
    expect(inspect(failure, { depth: 9 })).not.toContain('s3cret');
  });

  test('no file at all', async () => {
    await expect(loadKubeconfig({ file: join(here, 'none') })).rejects.toThrow('check --kubeconfig');
    await expect(loadKubeconfig({ env: { KUBECONFIG: join(here, 'none') } })).rejects.toThrow(`no kubeconfig found (${join(here, 'none')})`);
  });
});

describe('in a pod', () => {
  test.each([
    ['10.0.0.1', 'https://10.0.0.1:6443'],
    ['fd00::1', 'https://[fd00::1]:6443'],
  ])('its own account is used, at %s', async (host, server) => {
    const account = 'var/run/secrets/kubernetes.io/serviceaccount';
    await write(`${account}/token`, 'first\n');
    await write(`${account}/ca.crt`, authority.cert);
    await write(`${account}/namespace`, 'setpoint\n');
    const env = { KUBECONFIG: join(here, 'none'), KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: '6443' };
    const connection = await loadKubeconfig({ env, podRoot: here });
    expect(connection).toMatchObject({ server, context: 'in-cluster', namespace: 'setpoint' });
    const credentials = await connection.credentials();
    expect(credentials).toEqual({ headers: { authorization: 'Bearer first' }, tls: { ca: Buffer.from(authority.cert) } });
    await write(`${account}/token`, 'second\n');
    expect(await connection.credentials(credentials)).toMatchObject({ headers: { authorization: 'Bearer second' } });
  });
});

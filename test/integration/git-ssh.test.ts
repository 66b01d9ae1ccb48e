import { randomBytes } from 'node:crypto';
import fs, { existsSync } from 'node:fs';
import { join } from 'node:path';
import git from 'isomorphic-git';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '../../src/git/credentials.ts';
import { parseRepositoryUrl, type SshRepository } from '../../src/git/repository-url.ts';
import { createTransport } from '../../src/git/transport/index.ts';
import type { Repository } from '../support/git-repository.ts';
import { hashKnownHosts, makeSshKey, type SshKeyPair } from '../support/ssh-keys.ts';
import { freePort } from '../support/free-port.ts';
import { fetchInto, look, printedForms, refusalOf } from '../support/git-session.ts';
import { startSilentServer } from '../support/silent-server.ts';
import { startSshGitServer, type SshGitServer } from '../support/ssh-git-server.ts';
import { tempFolder } from '../support/temp-folder.ts';

let host: SshKeyPair;
let rsaHost: SshKeyPair;
let deploy: SshKeyPair;
let other: SshKeyPair;
let server: SshGitServer;
let repository: Repository;
let commit: string;

beforeAll(async () => {
  [host, rsaHost, deploy, other] = await Promise.all([makeSshKey('ed25519'), makeSshKey('rsa', { bits: 2048 }), makeSshKey('ed25519'), makeSshKey('ed25519')]);
  server = await startSshGitServer({ hostKeys: [host.privateKey, rsaHost.privateKey], authorizedKeys: [deploy.publicKey] });
  repository = await server.createRepository('fleet');
  await repository.commit({ 'a.yaml': '1' });
  commit = await repository.commit({ 'a.yaml': '2' });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const knownAs = (key: SshKeyPair, port = server.port): string => `[127.0.0.1]:${port} ${key.publicKey}\n`;

function repositoryWith(access: Access = {}, url = repository.url): SshRepository {
  const parsed = parseRepositoryUrl(url, { privateKey: deploy.privateKey, knownHosts: knownAs(host), ...access });
  if (parsed.type !== 'ssh') throw new Error(`${url} is not an SSH repository`);
  return parsed;
}

test('a branch is looked up and fetched with a deploy key', async () => {
  await using folder = await tempFolder();
  expect(await look(repositoryWith())).toBe(commit);
  expect(await fetchInto(folder.path, repositoryWith())).toBeGreaterThan(100);
  const { blob } = await git.readBlob({ fs, gitdir: folder.path, oid: commit, filepath: 'a.yaml' });
  expect(Buffer.from(blob).toString()).toBe('2');
});

test('the server is asked for git-upload-pack, by a key, and for nothing else', async () => {
  const before = { commands: server.commands.length, attempts: server.attempts.length };
  await look(repositoryWith());
  expect(server.commands.slice(before.commands)).toEqual([`git-upload-pack '${repository.gitDir}'`]);
  expect(new Set(server.attempts.slice(before.attempts))).toEqual(new Set(['git publickey']));
});

test('a look and a fetch are one connection', async () => {
  await using folder = await tempFolder();
  const transport = createTransport(repositoryWith());
  const before = server.attempts.length;
  await using session = transport.session(AbortSignal.timeout(20_000));
  const at = { fs, gitdir: folder.path, http: session.http, url: session.url };
  await git.init({ ...at, bare: true });
  await git.addRemote({ ...at, remote: 'origin' });
  await git.listServerRefs({ ...at, protocolVersion: 2, prefix: 'refs/heads/main' });
  await git.fetch({ ...at, ref: 'refs/heads/main', remoteRef: 'refs/heads/main', singleBranch: true, depth: 1 });
  // A key is offered first and signed with afterwards.
  expect(server.attempts.length - before).toBeLessThanOrEqual(2);
});

test('later fetches get only what is new, and history that is not there is not asked for', async () => {
  await using folder = await tempFolder();
  const at = await server.createRepository('growing');
  await at.commit({ 'big.txt': randomBytes(60_000).toString('hex') });
  const from = repositoryWith({}, at.url);
  const first = await fetchInto(folder.path, from);
  const tip = await at.commit({ 'small.txt': '1' });
  await git.writeRef({ fs, gitdir: folder.path, ref: 'refs/heads/main', value: await git.resolveRef({ fs, gitdir: folder.path, ref: 'refs/remotes/origin/main' }) });
  const transport = createTransport(from);
  await using session = transport.session(AbortSignal.timeout(20_000));
  await git.fetch({ fs, gitdir: folder.path, http: session.http, url: session.url, ref: 'refs/heads/main', remoteRef: 'refs/heads/main', remote: 'origin', singleBranch: true, tags: false });
  expect(session.bytes()).toBeLessThan(first / 10);
  expect((await git.readCommit({ fs, gitdir: folder.path, oid: tip })).oid).toBe(tip);
});

test('a server that does not take GIT_PROTOCOL lists everything, and the one reference is found in it', async () => {
  await using older = await startSshGitServer({ hostKeys: [host.privateKey], authorizedKeys: [deploy.publicKey], takesProtocol: false });
  const at = await older.createRepository('fleet');
  const tip = await at.commit({ 'a.yaml': '1' });
  await at.git('tag', 'v1', tip);
  const from = repositoryWith({ knownHosts: knownAs(host, older.port) }, at.url);
  expect(await look(from)).toBe(tip);
  await using folder = await tempFolder();
  await fetchInto(folder.path, from);
  expect((await git.readCommit({ fs, gitdir: folder.path, oid: tip })).oid).toBe(tip);
});

describe('deploy keys', () => {
  test.each([
    ['RSA', 'rsa', { bits: 2048 }],
    ['ECDSA', 'ecdsa', {}],
    ['ed25519 with a passphrase', 'ed25519', { passphrase: 'open sesame' }],
    ['RSA with a passphrase, in the older format', 'rsa', { bits: 2048, passphrase: 'open sesame', format: 'PEM' }],
  ] as const)('of the kind %s are let in', async (_name, type, wishes) => {
    const key = await makeSshKey(type, wishes);
    await using at = await startSshGitServer({ hostKeys: [host.privateKey], authorizedKeys: [key.publicKey] });
    const fleet = await at.createRepository('fleet');
    const tip = await fleet.commit({ a: '1' });
    const passphrase = 'passphrase' in wishes ? { passphrase: wishes.passphrase } : {};
    expect(await look(repositoryWith({ privateKey: key.privateKey, ...passphrase, knownHosts: knownAs(host, at.port) }, fleet.url))).toBe(tip);
  });

  test('that the server does not know are refused, and no password is tried', async () => {
    const before = server.attempts.length;
    const error = await refusalOf(repositoryWith({ privateKey: other.privateKey }));
    expect(error).toMatchObject({ code: 'RepositoryUnauthorized', message: expect.stringContaining('does not accept the key') as string });
    expect(new Set(server.attempts.slice(before))).toEqual(new Set(['git publickey']));
    expect(printedForms(error)).not.toContain(other.privateKey.split('\n')[2]);
  });
});

describe('the key of the server', () => {
  test('is found in a hashed list', async () => {
    expect(await look(repositoryWith({ knownHosts: await hashKnownHosts(knownAs(host)) }))).toBe(commit);
  });

  test('is asked for in the kind that is known, though the server prefers another', async () => {
    expect(await look(repositoryWith({ knownHosts: knownAs(rsaHost) }))).toBe(commit);
  });

  test.each([
    ['is not known', () => `[127.0.0.1]:1 ${host.publicKey}`, 'has none for it'],
    ['is known for the usual port only', () => `127.0.0.1 ${host.publicKey}`, 'has none for it'],
    ['has changed', () => knownAs(other), 'has another one for it'],
    ['has been revoked', () => `${knownAs(host)}@revoked * ${host.publicKey}`, '@revoked'],
    ['is vouched for by an authority only', () => `@cert-authority * ${other.publicKey}`, 'not supported'],
  ])('that %s ends the connection before we show ours', async (_name, knownHosts, message) => {
    const before = server.attempts.length;
    const error = await refusalOf(repositoryWith({ knownHosts: knownHosts() }));
    expect(error).toMatchObject({ code: 'RepositoryUnauthorized', message: expect.stringContaining(message) as string });
    expect(error.message).toContain(`[127.0.0.1]:${server.port}`);
    expect(error.message).toContain(`ssh-ed25519 ${host.fingerprint}`);
    expect(server.attempts.length).toBe(before);
  });

  test('made for DSA or SHA-1 is not taken', async () => {
    await using plain = await startSshGitServer({ hostKeys: [rsaHost.privateKey], authorizedKeys: [deploy.publicKey], hostKeyAlgorithms: ['ssh-rsa'] });
    const error = await refusalOf(repositoryWith({ knownHosts: knownAs(rsaHost, plain.port) }, `ssh://git@127.0.0.1:${plain.port}/x`));
    expect(error).toMatchObject({ code: 'RepositoryUnreachable', message: expect.stringContaining('no longer safe') as string });
  });
});

describe('a path', () => {
  const hostile = ["x'; touch PROOF; '", 'x$(touch PROOF)', 'x`touch PROOF`', 'x & touch PROOF &', 'x"; touch PROOF; "', 'x | touch PROOF', "'$(touch PROOF)'", '!touch', 'x;touch${IFS}PROOF', String.raw`x'\''; touch PROOF; '`];

  test.each(hostile)('%j is one word to the shell of the server', async (path) => {
    await using folder = await tempFolder();
    const proof = join(folder.path, 'proof');
    const url = `git@127.0.0.1:${path.replaceAll('PROOF', proof).replaceAll('\\', '')}`;
    const from = { ...repositoryWith({}, url), port: server.port };
    expect(await refusalOf(from)).toMatchObject({ code: 'RepositoryNotFound' });
    expect(existsSync(proof)).toBe(false);
  });

  test.each(["it's", 'a b', '$HOME', 'a"b', 'ü', 'a!b', '~'.repeat(2)])('%j finds the repository of that name', async (name) => {
    const at = await server.createRepository(name);
    const tip = await at.commit({ a: name });
    expect(await look({ ...repositoryWith({}, `git@127.0.0.1:${at.gitDir}`), port: server.port })).toBe(tip);
  });
});

describe('a server in trouble', () => {
  test('a repository that is not there is said to be so', async () => {
    expect(await refusalOf(repositoryWith({}, server.url('nope')))).toMatchObject({ code: 'RepositoryNotFound', message: expect.stringContaining('nope.git') as string });
  });

  test.each([
    ['prints a greeting', 'Welcome to this server!\n', 0, 'RepositoryInvalid'],
    ['has no Git', '', 127, 'RepositoryInvalid'],
    ['answers with an error packet', '0018ERR access denied yo\n', 0, 'RepositoryNotFound'],
    ['says nothing', '', 1, 'RepositoryNotFound'],
    ['stops in the middle of a packet', '00ff', 1, 'RepositoryNotFound'],
  ])('one that %s is explained', async (_name, text, code, expected) => {
    server.answerNext((channel) => {
      channel.write(text);
      channel.exit(code);
      channel.end();
    });
    expect(await refusalOf(repositoryWith())).toMatchObject({ code: expected });
  });

  test('a connection cut in the middle of a pack is not the end of the pack', async () => {
    await using cutter = await startSshGitServer({ hostKeys: [host.privateKey], authorizedKeys: [deploy.publicKey] });
    await using folder = await tempFolder();
    const at = await cutter.createRepository('fleet');
    await at.commit({ 'a.txt': randomBytes(200_000).toString('hex') });
    cutter.cutAfter(50_000);
    await expect(fetchInto(folder.path, repositoryWith({ knownHosts: knownAs(host, cutter.port) }, at.url))).rejects.toMatchObject({ code: 'RepositoryUnreachable', message: expect.stringContaining('cut') as string });
  });

  test('one that sends nothing is left after the idle time', async () => {
    server.answerNext(() => undefined);
    expect(await refusalOf(repositoryWith(), { limits: { idleMs: 200 } })).toMatchObject({ code: 'RepositoryUnreachable', message: expect.stringContaining('nothing for 0.2 s') as string });
  });

  test('one that does not even greet is left after the time for connecting', async () => {
    await using silent = await startSilentServer();
    expect(await refusalOf(repositoryWith({}, `ssh://git@127.0.0.1:${silent.port}/x`), { limits: { connectMs: 200 } })).toMatchObject({ code: 'RepositoryUnreachable', message: expect.stringContaining('no answer in time') as string });
  });

  test('one that is not there is said to refuse', async () => {
    const port = await freePort();
    expect(await refusalOf(repositoryWith({}, `ssh://git@127.0.0.1:${port}/x`))).toMatchObject({ code: 'RepositoryUnreachable', message: expect.stringContaining('refused') as string });
  });

  test('more bytes than allowed end the fetch', async () => {
    await using folder = await tempFolder();
    const at = await server.createRepository('large');
    await at.commit({ 'a.txt': randomBytes(200_000).toString('hex') });
    await expect(fetchInto(folder.path, repositoryWith({}, at.url), { maxBytes: 50_000 })).rejects.toMatchObject({ code: 'SourceTooLarge' });
  });
});

test('an abort ends the wait with its own reason', async () => {
  await using silent = await startSilentServer();
  const abort = new AbortController();
  const looking = look(repositoryWith({}, `ssh://git@127.0.0.1:${silent.port}/x`), { signal: abort.signal });
  await silent.greeted;
  abort.abort(new Error('enough'));
  await expect(looking).rejects.toThrow('enough');
  await expect(look(repositoryWith(), { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
});

test('no error shows the key or its passphrase, however it is printed', async () => {
  const canary = 'canary-passphrase';
  const locked = await makeSshKey('ed25519', { passphrase: canary });
  const secrets = [canary, ...locked.privateKey.split('\n').slice(1, -2), ...deploy.privateKey.split('\n').slice(1, -2)];
  const errors = await Promise.all([
    refusalOf(repositoryWith({ privateKey: locked.privateKey, passphrase: canary })),
    refusalOf(repositoryWith({ privateKey: locked.privateKey, passphrase: `${canary}-wrong` })),
    refusalOf(repositoryWith({ privateKey: locked.privateKey.slice(0, -60), passphrase: canary })),
    refusalOf(repositoryWith({ knownHosts: knownAs(other) })),
    refusalOf(repositoryWith({}, server.url('nope'))),
  ]);
  for (const error of errors) {
    for (const secret of secrets) expect(printedForms(error)).not.toContain(secret);
  }
});

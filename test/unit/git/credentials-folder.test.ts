import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCredentials } from '../../../src/git/credentials-folder.ts';
import { tempFolder, type TempFolder } from '../../support/temp-folder.ts';

async function folderWith(files: Readonly<Record<string, string>>): Promise<TempFolder> {
  const folder = await tempFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  return folder;
}

const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';

test.each([
  ['a user name and password', { username: 'me\n', password: 'secret\n' }, { username: 'me', password: 'secret' }],
  ['a password alone', { password: 'token' }, { password: 'token' }],
  ['a token', { token: 't' }, { password: 't' }],
  ['a bearer token', { bearerToken: 't\r\n' }, { bearerToken: 't' }],
  ['a password that ends with spaces', { password: ' a \n' }, { password: ' a ' }],
  ['a password of two lines', { password: 'a\nb\n' }, { password: 'a\nb' }],
  ['Flux and SSH', { identity: 'KEY', 'identity.pub': 'PUB', known_hosts: 'HOSTS', password: 'phrase' }, { privateKey: 'KEY', knownHosts: 'HOSTS', password: 'phrase' }],
  ['Argo CD and SSH', { type: 'git', url: 'git@h:x', name: 'n', project: 'p', sshPrivateKey: 'KEY', known_hosts: 'H' }, { privateKey: 'KEY', knownHosts: 'H' }],
  ['Argo CD and certificates', { tlsClientCertData: pem, tlsClientCertKey: pem, insecure: 'false', enableLfs: 'true' }, { cert: pem.trimEnd(), key: pem.trimEnd() }],
  ['the SSH Secret of Kubernetes', { 'ssh-privatekey': 'KEY', known_hosts: 'H' }, { privateKey: 'KEY', knownHosts: 'H' }],
  ['the TLS Secret of Kubernetes', { 'tls.crt': pem, 'tls.key': pem, 'ca.crt': pem }, { cert: pem.trimEnd(), key: pem.trimEnd(), ca: pem.trimEnd() }],
  ['the older names of Flux', { certFile: pem, keyFile: pem, caFile: pem }, { cert: pem.trimEnd(), key: pem.trimEnd(), ca: pem.trimEnd() }],
  ['an authority alone', { 'ca.crt': pem }, { ca: pem.trimEnd() }],
  ['the wish not to check', { insecure: 'true\n' }, { insecure: true }],
  ['a proxy', { proxy: 'http://p:1', noProxy: 'h' }, { proxy: { https: 'http://p:1', http: 'http://p:1', except: 'h' } }],
  ['empty parts, as of a Secret with all of them', { username: '', password: '', bearerToken: 't', insecureIgnoreHostKey: 'false', githubAppID: '' }, { bearerToken: 't' }],
])('%s', async (_name, files, access) => {
  await using folder = await folderWith(files);
  expect(await readCredentials(folder.path)).toEqual(access);
});

test.each([
  ['nothing', {}, 'is empty'],
  ['a file that is not known', { pasword: 'canary' }, '"pasword"'],
  ['two names for one thing', { identity: 'canary', sshPrivateKey: 'canary' }, 'both identity and sshPrivateKey'],
  ['a password and a bearer token', { password: 'canary', bearerToken: 'canary' }, 'only one of them'],
  ['a user name alone', { username: 'canary' }, 'without a password'],
  ['a passphrase alone', { passphrase: 'canary' }, 'passphrase without a key'],
  ['a certificate without its key', { 'tls.crt': pem }, 'give tls.key'],
  ['a key without its certificate', { 'tls.key': pem }, 'give tls.crt'],
  ['an authority that is not PEM', { 'ca.crt': 'canary' }, 'ca.crt that is not PEM'],
  ['a certificate that is not PEM', { 'tls.crt': 'canary', 'tls.key': pem }, 'tls.crt that is not PEM'],
  ['an unclear wish not to check', { insecure: 'canary' }, 'neither true nor false'],
  ['the wish not to check SSH servers', { identity: 'canary', insecureIgnoreHostKey: 'true' }, 'give known_hosts'],
  ['a GitHub App', { githubAppID: '1', githubAppPrivateKey: 'canary' }, 'GitHub Apps are not supported'],
  ['a service account of Google', { gcpServiceAccountKey: 'canary' }, 'not supported'],
  ['something huge', { password: 'canary'.repeat(200_000) }, 'more than 1 MiB'],
])('%s is refused by name, and no content is repeated', async (_name, files, message) => {
  await using folder = await folderWith(files);
  const error = (await readCredentials(folder.path).catch((caught: unknown) => caught)) as Error;
  expect(error).toMatchObject({ code: 'RepositoryUnauthorized', message: expect.stringContaining(message) as string });
  expect(error.message).toContain(folder.path);
  expect(error.message).not.toContain('canary');
});

describe('what cannot be read', () => {
  test('a folder that is not there, and one that is a file', async () => {
    await using folder = await folderWith({ file: '' });
    await expect(readCredentials(join(folder.path, 'nope'))).rejects.toMatchObject({ code: 'RepositoryUnauthorized', message: expect.stringContaining('there is no such file or folder') as string });
    await expect(readCredentials(join(folder.path, 'file'))).rejects.toMatchObject({ message: expect.stringContaining('what should be a folder is a file') as string });
  });

  test('a folder where a file should be', async () => {
    await using folder = await tempFolder();
    await mkdir(join(folder.path, 'password'));
    await expect(readCredentials(folder.path)).rejects.toMatchObject({ message: expect.stringContaining('"password" that cannot be read: it is a folder') as string });
  });

  test('a link that leads nowhere', async () => {
    await using folder = await tempFolder();
    await symlink('nowhere', join(folder.path, 'password'));
    await expect(readCredentials(folder.path)).rejects.toMatchObject({ message: expect.stringContaining('there is no such file or folder') as string });
  });

  // Root may read everything.
  test.skipIf(process.getuid?.() === 0)('a file of someone else', async () => {
    await using folder = await folderWith({ password: 'x' });
    await chmod(join(folder.path, 'password'), 0);
    await expect(readCredentials(folder.path)).rejects.toMatchObject({ message: expect.stringContaining('check its owner and mode') as string });
  });
});

test('a mounted Secret is read through the folder that it is swapped by, and a rotation counts at the next use', async () => {
  await using folder = await tempFolder();
  const version = async (name: string, password: string): Promise<void> => {
    await mkdir(join(folder.path, name));
    await writeFile(join(folder.path, name, 'password'), password);
    await symlink(name, join(folder.path, '..data_tmp'));
    await rename(join(folder.path, '..data_tmp'), join(folder.path, '..data'));
  };
  await version('..2026_01_01', 'old');
  await symlink('..data/password', join(folder.path, 'password'));
  expect(await readCredentials(folder.path)).toEqual({ password: 'old' });
  await version('..2026_01_02', 'new');
  await rm(join(folder.path, '..2026_01_01'), { recursive: true });
  expect(await readCredentials(folder.path)).toEqual({ password: 'new' });
});

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRepositoryUrl } from '../../../src/git/repository-url.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ssh = { privateKey: 'key', knownHosts: 'host ssh-ed25519 AAAA' };

describe('credentials for HTTP', () => {
  test('are taken out of the URL', () => {
    expect(parseRepositoryUrl('https://me:p%40ss@git.example.com/fleet')).toEqual({
      type: 'http',
      url: 'https://git.example.com/fleet',
      auth: { type: 'basic', username: 'me', password: 'p@ss' },
      tls: {},
    });
  });

  test.each([
    ['a token as the user name of a URL', 'https://tok@h/x', {}, { type: 'basic', username: 'tok', password: '' }],
    ['given ones win over those of the URL', 'https://me:x@h/x', { username: 'u', password: 'p' }, { type: 'basic', username: 'u', password: 'p' }],
    ['a token alone goes with any user name', 'https://h/x', { password: 'tok' }, { type: 'basic', username: 'git', password: 'tok' }],
    ['a token goes with the user of the URL', 'https://oauth2@h/x', { password: 'tok' }, { type: 'basic', username: 'oauth2', password: 'tok' }],
    ['a bearer token', 'https://h/x', { bearerToken: 'tok' }, { type: 'bearer', token: 'tok' }],
    ['nothing', 'https://h/x', undefined, { type: 'none' }],
    ['a user name without a password', 'https://h/x', { username: 'u' }, { type: 'none' }],
  ])('%s', (_name, url, access, auth) => {
    expect(parseRepositoryUrl(url, access)).toMatchObject({ url: 'https://h/x', auth });
  });

  test.each([
    ['a line break in a bearer token', { bearerToken: 'canary\r\nHost: evil' }],
    ['a space in a bearer token', { bearerToken: 'canary x' }],
    ['a colon in a user name', { username: 'canary:x', password: 'canary' }],
  ])('%s is refused and not repeated', (_name, access) => {
    expect(() => parseRepositoryUrl('https://h/x', access)).toThrow(expect.objectContaining({ code: 'RepositoryUnauthorized', message: expect.not.stringContaining('canary') as string }) as Error);
  });
});

test('certificates and the wish not to check are passed on for HTTP', () => {
  const tls = { ca: 'CA', cert: 'CERT', key: 'KEY' };
  expect(parseRepositoryUrl('https://h/x', { ...tls, insecure: true })).toMatchObject({ tls: { ...tls, insecure: true } });
  expect(parseRepositoryUrl('https://h/x', { ...tls, insecure: false })).toMatchObject({ tls });
});

test.each([
  ['ssh://git@git.example.com/acme/fleet.git', { user: 'git', host: 'git.example.com', port: 22, path: '/acme/fleet.git', url: 'ssh://git@git.example.com/acme/fleet.git' }],
  ['ssh://git.example.com:2222/acme/fleet', { user: 'git', host: 'git.example.com', port: 2222, path: '/acme/fleet', url: 'ssh://git@git.example.com:2222/acme/fleet' }],
  ['ssh://deploy@h/~deploy/fleet', { user: 'deploy', path: '~deploy/fleet' }],
  ['ssh://git@h/my%20fleet/', { path: '/my fleet', url: 'ssh://git@h/my%20fleet' }],
  ['ssh://git@[::1]:22/x', { host: '::1', port: 22 }],
  ['git@github.com:acme/fleet.git', { user: 'git', host: 'github.com', port: 22, path: 'acme/fleet.git', url: 'git@github.com:acme/fleet.git' }],
  ['git@h:/srv/fleet.git', { path: '/srv/fleet.git' }],
  ['git@h:~/fleet', { path: '~/fleet' }],
  ["git@h:it's", { path: "it's" }],
])('%s is reached over SSH', (url, parts) => {
  expect(parseRepositoryUrl(url, ssh)).toMatchObject({ type: 'ssh', ...ssh, ...parts });
});

test('the passphrase of a key may be in the password, where Flux keeps it', () => {
  expect(parseRepositoryUrl('git@h:x', { ...ssh, password: 'p' })).toMatchObject({ passphrase: 'p' });
  expect(parseRepositoryUrl('git@h:x', { ...ssh, password: 'p', passphrase: 'q' })).toMatchObject({ passphrase: 'q' });
});

test.each([
  ['a key', { knownHosts: 'x' }, 'needs a deploy key'],
  ['known hosts', { privateKey: 'x' }, 'ssh-keyscan h'],
  ['known hosts, but an empty list', { privateKey: 'x', knownHosts: ' \n' }, 'ssh-keyscan h'],
])('SSH without %s says what to give', (_name, access, message) => {
  expect(() => parseRepositoryUrl('git@h:x', access)).toThrow(expect.objectContaining({ code: 'RepositoryUnauthorized', message: expect.stringContaining(message) as string }) as Error);
});

test.each([
  ['https://git.example.com/fleet/', 'https://git.example.com/fleet'],
  ['https://GIT.example.com:443/Fleet', 'https://git.example.com/Fleet'],
  ['http://127.0.0.1:8080/a.git', 'http://127.0.0.1:8080/a.git'],
  ['https://[::1]:8443/a', 'https://[::1]:8443/a'],
  ['https://dev.azure.com/acme/My%20Project/_git/fleet', 'https://dev.azure.com/acme/My%20Project/_git/fleet'],
  ['https://xn--bcher-kva.example/a', 'https://xn--bcher-kva.example/a'],
  ['HTTPS://h/x', 'https://h/x'],
])('%s is known as %s', (text, url) => {
  expect(parseRepositoryUrl(text)).toMatchObject({ type: 'http', url });
});

test('a local repository is found as a folder, as a URL, in a bare folder and in a linked work tree', async () => {
  await using folder = await tempFolder();
  const tree = join(folder.path, 'my tree');
  const git = (...args: readonly string[]): string => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { encoding: 'utf8', cwd: folder.path });
  git('init', '--quiet', tree);
  git('-C', tree, 'commit', '--quiet', '--allow-empty', '-m', 'x');
  git('-C', tree, 'worktree', 'add', '--quiet', join(folder.path, 'linked'));
  expect(parseRepositoryUrl(tree)).toEqual({ type: 'local', url: `file://${tree}`, gitDir: join(tree, '.git') });
  expect(parseRepositoryUrl(`file://${tree.replace(' ', '%20')}`)).toMatchObject({ gitDir: join(tree, '.git') });
  expect(parseRepositoryUrl(join(tree, '.git'))).toMatchObject({ gitDir: join(tree, '.git') });
  expect(parseRepositoryUrl(join(folder.path, 'linked'))).toMatchObject({ gitDir: join(tree, '.git', 'worktrees', 'linked') });
});

test.each(['./no-such-folder', 'file:///no/such/folder'])('%s is no repository', (url) => {
  expect(() => parseRepositoryUrl(url)).toThrow(expect.objectContaining({ code: 'RepositoryNotFound' }) as Error);
});

test.each([
  ['HTTP', 'https://me:x@h/x', { ca: 'CA', cert: 'C', key: 'K', insecure: true, proxy: { https: 'http://u:p@proxy:1' } }],
  ['SSH', 'git@h:x', { ...ssh, passphrase: 'p' }],
])('a repository over %s may cross to another thread as it is', (_name, url, access) => {
  const repository = parseRepositoryUrl(url, access);
  expect(structuredClone(repository)).toEqual(repository);
});

import { describe, expect, test } from 'vitest';
import { repositoryIdentity } from '../../../src/model/index.ts';

test.each([
  [
    'git.example.com/acme/fleet',
    [
      'https://git.example.com/acme/fleet',
      'https://git.example.com/acme/fleet.git',
      'https://git.example.com/acme/fleet.git/',
      'https://git.example.com//acme/fleet//',
      'HTTPS://GIT.Example.COM/acme/fleet',
      'http://git.example.com:80/acme/fleet',
      'https://git.example.com:443/acme/fleet',
      'https://me:pass%40word@git.example.com/acme/fleet',
      'https://token@git.example.com/acme/fl%65et',
      'ssh://git@git.example.com/acme/fleet.git',
      'ssh://git@git.example.com:22/acme/fleet',
      'git://git.example.com/acme/fleet.git',
      'git@git.example.com:acme/fleet.git',
      'git@git.example.com:/acme/fleet.git',
      'git.example.com:acme/fleet',
    ],
  ],
  ['git.example.com:8443/acme/fleet', ['https://git.example.com:8443/acme/fleet', 'ssh://git@git.example.com:8443/acme/fleet.git']],
  ['[::1]:3000/acme/fleet', ['http://[::1]:3000/acme/fleet.git']],
  ['git.example.com/Acme/Fleet', ['https://git.example.com/Acme/Fleet']],
  ['git.example.com/my fleet', ['https://git.example.com/my%20fleet', 'git@git.example.com:my%20fleet', 'git@git.example.com:my fleet']],
  ['git.example.com/~sam/fleet', ['ssh://git@git.example.com/~sam/fleet', 'https://git.example.com/%7Esam/fleet']],
  ['git.example.com/bücher', ['https://git.example.com/b%C3%BCcher', 'https://git.example.com/bücher']],
  ['github.com/acme/fleet', ['https://github.com/Acme/Fleet', 'git@github.com:ACME/fleet.git', 'ssh://git@ssh.github.com:443/acme/fleet.git']],
  ['gitlab.com/acme/live/fleet', ['https://gitlab.com/Acme/Live/Fleet.git', 'git@gitlab.com:acme/live/fleet.git', 'ssh://git@altssh.gitlab.com:443/acme/live/fleet.git']],
  ['bitbucket.org/acme/fleet', ['https://sam@bitbucket.org/Acme/fleet.git', 'git@bitbucket.org:acme/fleet.git', 'ssh://git@altssh.bitbucket.org:443/acme/fleet']],
  [
    'dev.azure.com/acme/live platform/fleet',
    [
      'https://dev.azure.com/Acme/Live%20Platform/_git/fleet',
      'https://Acme@dev.azure.com/Acme/Live%20Platform/_git/Fleet',
      'https://acme.visualstudio.com/Live%20Platform/_git/fleet',
      'https://acme.visualstudio.com/DefaultCollection/Live%20Platform/_git/fleet',
      'git@ssh.dev.azure.com:v3/Acme/Live%20Platform/fleet',
      'ssh://git@ssh.dev.azure.com:22/v3/Acme/Live%20Platform/fleet',
      'acme@vs-ssh.visualstudio.com:v3/acme/Live%20Platform/fleet',
    ],
  ],
  ['dev.azure.com/acme/fleet/fleet', ['https://dev.azure.com/acme/_git/fleet', 'https://dev.azure.com/acme/fleet/_git/fleet', 'https://acme.visualstudio.com/_git/fleet', 'git@ssh.dev.azure.com:v3/acme/fleet/fleet']],
  [
    'bitbucket.example.com/acme/fleet',
    [
      'https://bitbucket.example.com/scm/ACME/fleet.git',
      'https://bitbucket.example.com/scm/acme/fleet',
      'https://bitbucket.example.com/bitbucket/scm/acme/fleet.git',
      'http://bitbucket.example.com:7990/scm/acme/fleet.git',
      'ssh://git@bitbucket.example.com:7999/ACME/fleet.git',
      'ssh://git@bitbucket.example.com/acme/fleet.git',
    ],
  ],
  ['bitbucket.example.com/~sam/fleet', ['https://bitbucket.example.com/scm/~sam/fleet.git', 'ssh://git@bitbucket.example.com:7999/~sam/fleet.git']],
  ['/srv/fleet', ['file:///srv/fleet', 'file://localhost/srv/fleet/', '/srv/fleet', '/srv//fleet/', '/srv/fleet/.git', '/srv/./other/../fleet', 'file:///srv/fl%65et']],
  ['/srv/Fleet.git', ['file:///srv/Fleet.git', '/srv/Fleet.git']],
  ['./fleet', ['fleet', './fleet', 'fleet/', 'x/../fleet']],
  ['./../fleet', ['../fleet']],
  ['./github.com/acme/fleet', ['github.com/acme/fleet', './github.com/acme/fleet']],
])('%s is one repository', (identity, addresses) => {
  expect(addresses.map((address) => [address, repositoryIdentity(address)])).toEqual(addresses.map((address) => [address, identity]));
});

describe('two repositories', () => {
  test.each([
    ['https://git.example.com/acme/fleet', 'https://git.example.org/acme/fleet'],
    ['https://git.example.com/acme/fleet', 'https://git.example.com/acme/fleet2'],
    ['https://git.example.com/acme/fleet', 'https://git.example.com/Acme/fleet'],
    ['https://git.example.com/acme/fleet', 'https://git.example.com:8443/acme/fleet'],
    ['https://git.example.com/acme/fleet', 'https://git.example.com/acme/fleet/sub'],
    ['https://git.example.com/acme/fleet', 'https://git.example.com.evil.example/acme/fleet'],
    ['https://git.example.com/acme/fleet', 'https://git.example.com@evil.example/acme/fleet'],
    ['https://git.example.com/acme/fleet', '/git.example.com/acme/fleet'],
    ['https://git.example.com/acme/fleet', 'git.example.com/acme/fleet'],
    ['https://dev.azure.com/acme/a/_git/fleet', 'https://dev.azure.com/acme/b/_git/fleet'],
    ['/srv/fleet', '/srv/fleet.git'],
  ])('%s and %s', (one, other) => {
    expect(repositoryIdentity(one)).toBeDefined();
    expect(repositoryIdentity(other)).not.toBe(repositoryIdentity(one));
  });
});

test.each([
  '',
  '-x',
  'https://',
  'https:///acme/fleet',
  'https://git.example.com',
  'https://git.example.com/',
  'https://git.example.com/.git',
  'https://.*/.*',
  'https://git.example.com:x/acme',
  'https://[::1/acme',
  'https://git example.com/acme',
  'https://git.example.com/acme/fleet?x',
  'https://git.example.com/acme/fleet#x',
  'https://git.example.com/acme/../fleet',
  'https://git.example.com/acme/%2e%2e/fleet',
  'https://git.example.com/acme%2ffleet',
  'https://git.example.com/acme%5cfleet',
  'https://git.example.com/acme\\fleet',
  'https://git.example.com/acme/%00',
  'https://git.example.com/acme/%zz',
  'https://git.example.com/acme/\u202efleet',
  'https://gіt.example.com/acme',
  'ftp://git.example.com/acme',
  'ext::sh -c true',
  'javascript:alert(1)//../..',
  'git@host:',
  'C:\\fleet',
  'file://host/srv/fleet',
  'file://',
  `https://git.example.com/${'a'.repeat(2048)}`,
])('%s is no address', (text) => {
  expect(repositoryIdentity(text)).toBeUndefined();
});

test('names that JavaScript knows are only names', () => {
  expect(repositoryIdentity('https://constructor/__proto__')).toBe('constructor/__proto__');
  expect(repositoryIdentity('git@toString:valueOf')).toBe('tostring/valueOf');
});

import { describe, expect, test } from 'vitest';
import { fingerprintOf, findKnownHost, keyTypeOf } from '../../../src/git/transport/known-hosts.ts';
import { hashKnownHosts, isFoundByOpenSsh, makeSshKey } from '../../support/ssh-keys.ts';

const [ed, other, rsa, ecdsa] = await Promise.all([makeSshKey('ed25519'), makeSshKey('ed25519'), makeSshKey('rsa', { bits: 2048 }), makeSshKey('ecdsa')]);
const blob = ({ publicKey }: { readonly publicKey: string }): Buffer => Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');

describe.each([
  // The list's first field, and whom it is about.
  ['git.example.com', 'git.example.com', 22, true],
  ['git.example.com', 'GIT.example.com', 22, true],
  ['GIT.Example.com', 'git.example.com', 22, true],
  ['git.example.com', 'other.example.com', 22, false],
  ['git.example.com', 'git.example.com', 2222, false],
  ['[git.example.com]:2222', 'git.example.com', 2222, true],
  ['[git.example.com]:2222', 'git.example.com', 22, false],
  ['[git.example.com]:2222', 'git.example.com', 2223, false],
  ['a.example.com,git.example.com,10.0.0.1', 'git.example.com', 22, true],
  ['a.example.com,git.example.com,10.0.0.1', '10.0.0.1', 22, true],
  ['*.example.com', 'git.example.com', 22, true],
  ['*.example.com', 'example.com', 22, false],
  ['git?.example.com', 'git1.example.com', 22, true],
  ['git?.example.com', 'git.example.com', 22, false],
  ['*', 'git.example.com', 22, true],
  ['*.example.com,!git.example.com', 'git.example.com', 22, false],
  ['*.example.com,!git.example.com', 'web.example.com', 22, true],
  ['!git.example.com', 'web.example.com', 22, false],
  ['git.example.com.', 'git.example.com', 22, false],
  ['git.example.co', 'git.example.com', 22, false],
])('a line for %s', (hosts, host, port, expected) => {
  const list = `${hosts} ${ed.publicKey}\n`;
  const name = port === 22 ? host : `[${host}]:${port}`;

  test(`${expected ? 'is' : 'is not'} about ${name}, as OpenSSH sees it too`, async () => {
    expect(findKnownHost(list, { host, port }).verdict(blob(ed))).toBe(expected ? 'known' : 'unknown');
    expect(await isFoundByOpenSsh(list, name.toLowerCase())).toBe(expected);
  });
});

test.each([['git.example.com', 22], ['git.example.com', 2222], ['10.0.0.1', 22]])('hashed by ssh-keygen, %s port %d is found', async (host, port) => {
  const hashed = await hashKnownHosts(`${port === 22 ? host : `[${host}]:${port}`} ${ed.publicKey}\n`);
  expect(hashed).toMatch(/^\|1\|/);
  expect(findKnownHost(hashed, { host, port }).verdict(blob(ed))).toBe('known');
  expect(findKnownHost(hashed, { host, port: 23 }).verdict(blob(ed))).toBe('unknown');
  expect(findKnownHost(hashed, { host: 'other', port }).verdict(blob(ed))).toBe('unknown');
});

test.each([
  ['the same key', `h ${ed.publicKey}`, 'known'],
  ['another key of that type', `h ${other.publicKey}`, 'changed'],
  ['only a key of another type', `h ${rsa.publicKey}`, 'changed'],
  ['several keys', `h ${other.publicKey}\nh ${rsa.publicKey}\nh ${ed.publicKey}`, 'known'],
  ['no line', '', 'unknown'],
  ['comments and empty lines', `# h ${ed.publicKey}\n\n   \n`, 'unknown'],
  ['a comment behind the key', `h ${ed.publicKey} the key of h`, 'known'],
  ['lines of Windows and tabs', `# x\r\nh\t${ed.publicKey.replace(' ', '\t')}\r\n`, 'known'],
  ['a revoked key', `@revoked h ${ed.publicKey}`, 'revoked'],
  ['a revoked key that is also listed', `h ${ed.publicKey}\n@revoked * ${ed.publicKey}`, 'revoked'],
  ['another revoked key', `@revoked h ${other.publicKey}\nh ${ed.publicKey}`, 'known'],
  ['only an authority', `@cert-authority h ${ed.publicKey}`, 'certificate'],
  ['an unknown marker', `@other h ${ed.publicKey}`, 'unknown'],
  ['half a line', 'h ssh-ed25519', 'unknown'],
  ['a key that is not base64', 'h ssh-ed25519 !!!!', 'unknown'],
  ['a key of another type than it says', `h ssh-rsa ${ed.publicKey.split(' ')[1]}`, 'unknown'],
  ['a hash cut short', `|1|abc ${ed.publicKey}`, 'unknown'],
  ['a hash of another version', `|2|YWJj|YWJj ${ed.publicKey}`, 'unknown'],
])('a list with %s says %3$s', (_name, list, verdict) => {
  expect(findKnownHost(list, { host: 'h', port: 22 }).verdict(blob(ed))).toBe(verdict);
});

test('the types of keys that a server is known by are told, so that it can be asked for one of them', () => {
  const list = `h ${rsa.publicKey}\nh ${ecdsa.publicKey}\n@revoked h ${ed.publicKey}\nother ${ed.publicKey}`;
  expect(findKnownHost(list, { host: 'h', port: 22 }).keyTypes).toEqual(['ssh-rsa', 'ecdsa-sha2-nistp256']);
});

test('a pattern full of stars is answered at once', () => {
  const list = `${'*a'.repeat(2000)}b ${ed.publicKey}`;
  const before = performance.now();
  expect(findKnownHost(list, { host: 'a'.repeat(250), port: 22 }).verdict(blob(ed))).toBe('unknown');
  expect(performance.now() - before).toBeLessThan(500);
});

test('fingerprints are those of ssh-keygen', () => {
  for (const key of [ed, rsa, ecdsa]) expect(fingerprintOf(blob(key))).toBe(key.fingerprint);
  expect([ed, rsa, ecdsa].map((key) => keyTypeOf(blob(key)))).toEqual(['ssh-ed25519', 'ssh-rsa', 'ecdsa-sha2-nistp256']);
  expect(keyTypeOf(Buffer.alloc(2))).toBe('');
});

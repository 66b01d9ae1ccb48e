import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { readPrivateKey } from '../../../src/git/transport/private-key.ts';
import { makeSshKey } from '../../support/ssh-keys.ts';

const url = 'git@h:x';
const plain = await makeSshKey('ed25519');
const locked = await makeSshKey('ed25519', { passphrase: 'canary-right' });

test.each([
  ['ed25519', await makeSshKey('ed25519'), 'ssh-ed25519'],
  ['RSA', await makeSshKey('rsa', { bits: 2048 }), 'ssh-rsa'],
  ['ECDSA', await makeSshKey('ecdsa'), 'ecdsa-sha2-nistp256'],
  ['ECDSA of 521 bits', await makeSshKey('ecdsa', { bits: 521 }), 'ecdsa-sha2-nistp521'],
  ['RSA in the older format', await makeSshKey('rsa', { bits: 2048, format: 'PEM' }), 'ssh-rsa'],
  ['ECDSA in the older format', await makeSshKey('ecdsa', { format: 'PEM' }), 'ecdsa-sha2-nistp256'],
] as const)('a key of the kind %s is read', (_name, { privateKey, publicKey }, type) => {
  const key = readPrivateKey({ url, privateKey });
  expect(key.type).toBe(type);
  expect(key.getPublicSSH().toString('base64')).toBe(publicKey.split(' ')[1]);
});

test.each([
  ['without its last line break', plain.privateKey.trimEnd()],
  ['with the line breaks of Windows', plain.privateKey.replaceAll('\n', '\r\n')],
  ['with empty lines around', `\n\n${plain.privateKey}\n\n`],
])('a key %s is read', (_name, privateKey) => {
  expect(readPrivateKey({ url, privateKey }).type).toBe('ssh-ed25519');
});

test.each([
  ['an ed25519 key', locked],
  ['an RSA key in the older format', await makeSshKey('rsa', { bits: 2048, format: 'PEM', passphrase: 'canary-right' })],
])('%s opens with its passphrase only', (_name, { privateKey }) => {
  expect(readPrivateKey({ url, privateKey, passphrase: 'canary-right' }).isPrivateKey()).toBe(true);
  expect(() => readPrivateKey({ url, privateKey, passphrase: 'canary-wrong' })).toThrow('does not open with the passphrase');
  expect(() => readPrivateKey({ url, privateKey })).toThrow('is protected by a passphrase');
});

const pkcs8 = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

test.each([
  ['nothing', '', 'cannot be read'],
  ['a word', 'canary-word', 'cannot be read'],
  ['half a key', plain.privateKey.slice(0, 150), 'cannot be read'],
  ['a public key', plain.publicKey, 'is a public key'],
  ['PKCS#8', pkcs8, 'PKCS#8'],
  ['a DSA key', '-----BEGIN DSA PRIVATE KEY-----\nAAAA\n-----END DSA PRIVATE KEY-----', 'DSA'],
])('%s is refused in a sentence that does not repeat it', (_name, privateKey, message) => {
  const error = refusalOf(privateKey);
  expect(error).toMatchObject({ code: 'RepositoryUnauthorized', message: expect.stringContaining(message) as string });
  expect(inspect(error)).not.toContain('canary');
});

function refusalOf(privateKey: string): unknown {
  try {
    return readPrivateKey({ url, privateKey }).type;
  } catch (error) {
    return error;
  }
}

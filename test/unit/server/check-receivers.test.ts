import { expect, test } from 'vitest';
import { checkReceivers, type Receiver } from '../../../src/server/index.ts';

const { signal } = new AbortController();
const receiver: Receiver = { id: 'fleet', provider: 'github', secrets: async () => ['canary'] };

test.each<[string, Partial<Receiver>]>([
  ['one secret', {}],
  ['two secrets', { secrets: async () => ['canary', 'other'] }],
  ['a signing key', { provider: 'gitlab', secrets: async () => ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }],
  ['a repository and a reference', { repository: 'git@git.example.com:acme/fleet.git', reference: 'main' }],
  ['a user', { provider: 'azure-devops', user: 'hooks' }],
  ['a header', { provider: 'azure-devops', header: 'X-Token' }],
  ['an id with all that an id may have', { id: 'A1._-'.padEnd(63, 'x') }],
])('a receiver with %s starts', async (_name, settings) => {
  await expect(checkReceivers([{ ...receiver, ...settings }], signal)).resolves.toBeUndefined();
});

test.each<[string, Partial<Receiver>, string]>([
  ['no secret', { secrets: async () => [] }, 'the webhook receiver fleet has no secret and does not start'],
  ['an empty secret', { secrets: async () => [''] }, 'the webhook receiver fleet has a secret that is empty'],
  ['an empty secret beside a good one', { secrets: async () => ['canary', ' '] }, 'fleet has a secret that is empty'],
  ['a signing key that is none', { secrets: async () => ['whsec_canary'] }, 'starts with whsec_'],
  ['three secrets', { secrets: async () => ['canary', 'canary', 'canary'] }, 'fleet has 3 secrets'],
  ['a secret that cannot be read', { secrets: () => Promise.reject(new Error('canary')) }, 'fleet does not start: its secret cannot be read'],
  ['an empty id', { id: '' }, 'got ""'],
  ['an id with a slash', { id: 'a/b' }, 'got "a/b"'],
  ['an id that starts with a dot', { id: '.' }, 'got "."'],
  ['an id with a line break', { id: 'a\n' }, 'got "a\\n"'],
  ['an id of 64 characters', { id: 'x'.repeat(64) }, '1 to 63'],
  ['an unknown provider', { provider: 'constructor' as 'github' }, 'has the provider "constructor": one of github, gitlab'],
  ['a repository that is no address', { repository: 'https://canary:canary@' }, 'fleet has a repository that is no address'],
  ['a reference that is none', { reference: 'a..b' }, 'fleet has the reference "a..b"'],
  ['a user that GitHub does not know', { user: 'hooks' }, 'fleet has a user, which only azure-devops takes'],
  ['a header that GitHub does not know', { header: 'X-Token' }, 'fleet has a header, which only azure-devops takes'],
  ['a user and a header', { provider: 'azure-devops', user: 'hooks', header: 'X-Token' }, 'fleet has a user and a header'],
  ['a user with a colon', { provider: 'azure-devops', user: 'a:b' }, 'fleet has a user that is empty or has a colon'],
  ['a user that is empty', { provider: 'azure-devops', user: '' }, 'fleet has a user that is empty or has a colon'],
  ['a header that is no name', { provider: 'azure-devops', header: 'X Token' }, 'fleet has the header "X Token"'],
])('a receiver with %s does not start', async (_name, settings, message) => {
  const checked = checkReceivers([{ ...receiver, id: 'first' }, { ...receiver, ...settings }], signal);
  await expect(checked).rejects.toMatchObject({ code: 'Usage', message: expect.stringContaining(message) as string });
  await expect(checked).rejects.toMatchObject({ message: expect.not.stringContaining('canary') as string });
});

test('two receivers of one id do not start', async () => {
  await expect(checkReceivers([receiver, { ...receiver, provider: 'gitea' }], signal)).rejects.toMatchObject({ code: 'Usage', message: expect.stringContaining('fleet is there twice') as string });
});

test('ids differ by their case', async () => {
  await expect(checkReceivers([receiver, { ...receiver, id: 'Fleet' }], signal)).resolves.toBeUndefined();
});

import { expect, test } from 'vitest';
import { providerNames, type ReceiverConfig } from '../../../src/config/agent-config.ts';
import type { ProviderName } from '../../../src/server/index.ts';
import { file, resolve } from './resolve.ts';

const text = `
receivers:
  - id: push
    provider: github
    secretFile: secrets/push
  - { id: azure, provider: azure-devops, secretFiles: [/run/a, ../b], user: someone, repository: https://dev.azure.com/o/p/_git/r, reference: main }
`;

test('receivers are in the file, and their secrets in files beside it', () => {
  const { hooks } = resolve({ files: [file(text)] }).config;
  const none = { user: undefined, header: undefined, repository: undefined, reference: undefined };
  expect(hooks).toEqual({
    listen: { host: '127.0.0.1', port: 8080 },
    receivers: [
      { ...none, id: 'push', provider: 'github', secretFiles: ['/etc/setpoint/secrets/push'] },
      { ...none, id: 'azure', provider: 'azure-devops', secretFiles: ['/run/a', '/etc/b'], user: 'someone', repository: 'https://dev.azure.com/o/p/_git/r', reference: 'main' },
    ] satisfies ReceiverConfig[],
  });
});

test('they are for every scope, and heard where the flag says', () => {
  const { hooks } = resolve({ flags: { repo: '/r', listenHooks: '0.0.0.0:80' }, files: [file(text)] }).config;
  expect(hooks).toMatchObject({ listen: { host: '0.0.0.0', port: 80 }, receivers: [{ id: 'push' }, { id: 'azure' }] });
});

test('a list of the nearer file takes the place of the whole list', () => {
  const near = file('receivers: [{ id: only, provider: generic, secretFile: s }]', '.setpoint.yaml');
  expect(resolve({ files: [near, file(text)] }).config.hooks?.receivers.map(({ id }) => id)).toEqual(['only']);
});

test('no variable stands for them', () => {
  expect(resolve({ env: { SETPOINT_RECEIVERS: '[]' } }).config.hooks).toBeUndefined();
});

test.each([
  ['receivers: push', 'config.yaml:1: receivers wants a list of receivers, got "push"'],
  ['receivers: [push]', 'config.yaml:1: receivers[0] wants a receiver: a mapping with id, provider and secretFile, got "push"'],
  ['receivers:\n- id: a\n  provider: github', 'config.yaml:2: receivers[0] wants either secretFile or secretFiles, got neither'],
  ['receivers:\n- { id: a, provider: github, secretFile: s, secretFiles: [s] }', 'receivers[0] wants either secretFile or secretFiles, got both'],
  ['receivers:\n- { id: a, provider: github, secretFiles: [a, b, c] }', 'receivers[0].secretFiles wants one or two files, got a list'],
  ['receivers:\n- { id: a, provider: github, secretFiles: [] }', 'receivers[0].secretFiles wants one or two files, got an empty list'],
  ['receivers:\n- provider: github\n  secretFile: s', 'config.yaml:2: receivers[0].id wants 1 to 63 letters'],
  ['receivers:\n- id: a/b\n  provider: github\n  secretFile: s', 'receivers[0].id wants 1 to 63 letters, digits, dots, dashes and underscores, a letter or digit first, got "a/b"'],
  ['receivers:\n- id: a\n  provider: GitHub\n  secretFile: s', 'config.yaml:3: receivers[0].provider wants one of github, gitlab'],
  ['receivers:\n- { id: a, provider: github, secretFile: s }\n- { id: a, provider: gitea, secretFile: s }', 'config.yaml:3: receivers[1].id wants an id that no other receiver has, got "a"'],
  ['receivers:\n- id: a\n  provider: github\n  secretfile: s\n', 'config.yaml:4: receivers[0].secretfile is not known: did you mean secretFile?'],
  ['receivers:\n- id: a\n  provider: github\n  secret: canary\n', 'config.yaml:4: receivers[0].secret is not known'],
])('%j is refused', (written, message) => {
  expect(() => resolve({ files: [file(written)] })).toThrow(message);
  expect(() => resolve({ files: [file(written)] })).not.toThrow('canary');
});

test('the providers are those that the server has', () => {
  const known: Readonly<Record<ProviderName, true>> = { github: true, gitlab: true, gitea: true, forgejo: true, gogs: true, bitbucket: true, 'bitbucket-server': true, 'azure-devops': true, generic: true };
  expect(providerNames).toEqual(Object.keys(known));
});

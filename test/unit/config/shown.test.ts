import { expect, test } from 'vitest';
import { file, resolve } from './resolve.ts';

test('secrets are hidden, and the rest is shown as a file has it', () => {
  const flags = { repo: 'https://someone:c4nary@h/acme/r', redis: 'rediss://:c4nary@h', notifyWebhook: 'https://h/c4nary', set: ['a.b=c4nary', 'c=d=c4nary'], setString: ['e=c4nary'], interval: '90s', listenOperations: '0.0.0.0:80' };
  const files = [file('receivers: [{ id: push, provider: github, secretFile: s, repository: "https://c4nary@h/r" }]\nstate: data\n')];
  const { shown } = resolve({ flags, files });
  expect(JSON.stringify(shown)).not.toContain('c4nary');
  expect(shown).toMatchObject({
    repo: 'https://***@h/acme/r',
    redis: '***',
    notifyWebhook: '***',
    set: ['a.b=***', 'c=***'],
    setString: ['e=***'],
    interval: '90s',
    sweep: '30m',
    listenOperations: '0.0.0.0:80',
    state: '/etc/setpoint/data',
    receivers: [{ id: 'push', provider: 'github', secretFiles: ['/etc/setpoint/s'], repository: 'https://***@h/r' }],
  });
});

test.each([
  ['https://c4nary@h/r', 'https://***@h/r'],
  ['https://u:c4n/ary@h/r', 'https://***@h/r'],
  ['https://u:c4n@ary@h/r', 'https://***@h/r'],
  ['https://h/r?private_token=c4nary', 'https://h/r?***'],
  ['ssh://git:c4nary@h/r', 'ssh://***@h/r'],
  ['ssh://git@h/r', 'ssh://git@h/r'],
  ['git@h:acme/r', 'git@h:acme/r'],
  ['https://h/acme/r', 'https://h/acme/r'],
  ['/srv/r', '/srv/r'],
])('the repository %s is shown as %s', (repo, expected) => {
  expect(resolve({ flags: { repo } }).shown.repo).toBe(expected);
});

test('paths in a file start at the file, those in flags and variables where the process does', () => {
  const keys = ['filename', 'state', 'gitCredentials', 'ignoreRules', 'kubeconfig'] as const;
  const inFile = resolve({ files: [file(keys.map((key) => `${key}: ../x/${key}`).join('\n'))] }).settings;
  expect(keys.map((key) => inFile[key])).toEqual(keys.map((key) => `/etc/x/${key}`));
  const inFlags = resolve({ flags: Object.fromEntries(keys.map((key) => [key, `../x/${key}`])) }).settings;
  expect(keys.map((key) => inFlags[key])).toEqual(keys.map((key) => `../x/${key}`));
});

test.each([
  ['./fleet', '/etc/setpoint/fleet'],
  ['..', '/etc'],
  ['git@h:fleet', 'git@h:fleet'],
  ['/srv/fleet', '/srv/fleet'],
  ['https://h/fleet', 'https://h/fleet'],
])('the repository %s of a file is %s', (repo, expected) => {
  expect(resolve({ files: [file(`repo: ${repo}`)] }).settings.repo).toBe(expected);
});

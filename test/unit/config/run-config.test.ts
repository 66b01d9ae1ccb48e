import { describe, expect, test } from 'vitest';
import { parseDuration, resolveRunConfig, type RunFlags } from '../../../src/config/index.ts';

const flags: RunFlags = { repo: 'x', path: 'apps/web', revision: 'main', mode: 'alert', interval: '60s' };

const surroundings = { repository: 'https://h/r', options: {}, env: {} };

test.each([['60s', 60_000], ['5m', 300_000], ['1h30m', 5_400_000], ['1.5s', 1500], ['250ms', 250]])('%s is a duration', (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

test.each(['', '60', 's', '5 m', '1d', '-5s', '5m!'])('%j is no duration', (text) => {
  expect(() => parseDuration(text)).toThrow('a duration such as');
});

describe('the name', () => {
  test.each([
    ['https://git.example.com/acme/fleet.git', 'apps/web', 'web'],
    ['https://git.example.com/acme/fleet.git', '', 'fleet'],
    ['https://git.example.com/acme/fleet/', './', 'fleet'],
    ['file:///srv/fleet', '', 'fleet'],
  ])('of %s and %j is %s', (repository, path, name) => {
    expect(resolveRunConfig({ ...flags, path }, { repository, options: {}, env: {} }).name).toBe(name);
  });
});

test.each<[string, Partial<RunFlags>, string]>([
  ['a path that leaves the repository', { path: '../x' }, 'the path "../x"'],
  ['an absolute path', { path: '/etc' }, 'the path "/etc"'],
  ['an interval under a second', { interval: '10ms' }, '--interval'],
  ['a webhook that is no URL', { notifyWebhook: 'hooks' }, '--notify-webhook'],
  ['a webhook that is no HTTP', { notifyWebhook: 'ftp://x' }, '--notify-webhook'],
  ['a name with a slash', { name: 'a/b' }, '--name'],
])('%s is refused by name', (_name, change, message) => {
  expect(() => resolveRunConfig({ ...flags, ...change }, surroundings)).toThrow(message);
});

test('a refused webhook URL is not repeated: it may hold a secret', () => {
  expect(() => resolveRunConfig({ ...flags, notifyWebhook: 'hooks.example.com/T0/canary' }, surroundings)).not.toThrow('canary');
});

test('paths are tidied', () => {
  expect(resolveRunConfig({ ...flags, path: './apps//web/' }, surroundings).source.path).toBe('apps/web');
});

test('the options of rendering are part of the source', () => {
  const options = { kind: 'helm', helm: { releaseName: 'r' } } as const;
  expect(resolveRunConfig(flags, { ...surroundings, options }).source).toEqual({ repository: 'https://h/r', revision: 'main', path: 'apps/web', ref: undefined, options });
});

import { describe, expect, test } from 'vitest';
import type { AgentConfig } from '../../../src/config/index.ts';
import { withRepository } from '../../../src/config/index.ts';
import { file, resolve } from './resolve.ts';

const repo = 'https://git.example.com/acme/fleet';

test('nothing said: the Applications in the cluster', () => {
  expect(resolve().config).toEqual<AgentConfig>({
    scope: { type: 'cluster', namespaces: 'all', agentNamespace: 'setpoint', lease: 'setpoint-agent', leaseMs: 15_000 },
    intervalMs: 60_000,
    sweepMs: 1_800_000,
    looksAtOnce: 8,
    stateFolder: '/home/someone/.local/state/setpoint',
    redisUrl: undefined,
    clusterName: undefined,
    alerting: { rules: [], muteWindows: [], destinations: [], allowPrivate: [] },
    hooks: undefined,
    operations: { host: '127.0.0.1', port: 8081 },
    healthRules: [],
  });
});

test('--repo: one application, and no port', () => {
  const { scope, operations } = resolve({ flags: { repo, path: './apps//web/', mode: 'auto', namespace: 'shop' } }).config;
  expect(scope).toEqual({ type: 'single', name: 'web', source: { repository: repo, revision: 'main', path: 'apps/web', ref: undefined, options: {} }, namespace: 'shop', mode: 'auto' });
  expect(operations).toBeUndefined();
});

test('-f: those in files, with a port', () => {
  expect(resolve({ flags: { filename: 'apps.yaml' } }).config).toMatchObject({ scope: { type: 'files', path: 'apps.yaml' }, operations: { host: '127.0.0.1', port: 8081 } });
});

test.each([
  ['all', 'all'],
  ['shop', ['shop']],
  ['shop, search,', ['shop', 'search']],
])('--namespaces %s', (namespaces, expected) => {
  expect(resolve({ flags: { namespaces } }).config.scope).toMatchObject({ namespaces: expected });
});

test('--repo together with -f is refused, and both are named', () => {
  expect(() => resolve({ flags: { repo, filename: 'apps.yaml' } })).toThrow('--repo and --filename exclude each other: give --repo for one application, or -f for those in files');
  expect(() => resolve({ flags: { filename: 'apps.yaml' }, files: [file('\nrepo: /r')] })).toThrow('config.yaml:2: repo and --filename exclude each other');
  expect(() => resolve({ flags: { filename: 'apps.yaml' }, env: { SETPOINT_REPO: '/r' } })).toThrow('SETPOINT_REPO and --filename exclude each other');
});

describe('what has no effect in a scope', () => {
  test.each([
    [{ flags: { path: 'apps/web' } }, '--path has no effect: it is for where one application is named with --repo'],
    [{ flags: { mode: 'auto', filename: 'a.yaml' } }, '--mode has no effect'],
    [{ files: [file('sweep: 1h\nset: [a=b]')] }, 'config.yaml:2: set has no effect'],
    [{ flags: { repo, namespaces: 'all' } }, '--namespaces has no effect: it is for where the applications are those in the cluster'],
    [{ flags: { filename: 'a.yaml', lease: 'mine' } }, '--lease has no effect'],
  ])('%j is refused by name', (said, message) => {
    expect(() => resolve(said)).toThrow(message);
  });

  test('is a warning where a variable says it, and stays unheard: other commands have variables of that name', () => {
    const { settings, warnings } = resolve({ env: { SETPOINT_PATH: 'apps/web', SETPOINT_MODE: 'auto' } });
    expect(warnings).toEqual([expect.stringMatching(/^SETPOINT_PATH has no effect/), expect.stringMatching(/^SETPOINT_MODE has no effect/)]);
    expect(settings).not.toHaveProperty('path');
    expect(settings).not.toHaveProperty('mode');
  });

  test('a port for webhooks without receivers is a warning', () => {
    const { config, warnings } = resolve({ flags: { listenHooks: '0.0.0.0:80' } });
    expect(config.hooks).toBeUndefined();
    expect(warnings).toEqual(['--listen-hooks has no effect: there are no receivers in a configuration file']);
  });
});

test.each([
  [{ repo, interval: '1s' }, 1000],
  [{ filename: 'a.yaml', interval: '1s' }, 1000],
  [{ interval: '10s' }, 10_000],
  [{ interval: '24h' }, 86_400_000],
])('an interval as in %j is possible', (flags, ms) => {
  expect(resolve({ flags }).config.intervalMs).toBe(ms);
});

test('an interval under ten seconds is refused for a cluster', () => {
  expect(() => resolve({ flags: { interval: '9s' } })).toThrow('--interval wants at least 10s for the applications in a cluster, got 9s');
});

describe('the name', () => {
  test.each([
    ['https://git.example.com/acme/fleet.git', 'apps/web', 'web'],
    ['https://git.example.com/acme/fleet.git', '', 'fleet'],
    ['https://git.example.com/acme/fleet/', './', 'fleet'],
    ['https://someone:canary@git.example.com/acme/fleet', '', 'fleet'],
    ['git@git.example.com:fleet.git', '', 'fleet'],
    ['ssh://git@git.example.com/acme/fleet', '', 'fleet'],
    ['file:///srv/fleet', '', 'fleet'],
    ['.', '', 'work'],
    ['https://h/r', 'a b/ü', '-'],
  ])('of %s and %j is %s', (repository, path, name) => {
    expect(resolve({ flags: { repo: repository, path } }).config.scope).toMatchObject({ name });
  });

  test('is what is said', () => {
    expect(resolve({ flags: { repo, name: 'mine' } }).config.scope).toMatchObject({ name: 'mine' });
  });
});

test('credentials in the URL stay out of the configuration', () => {
  const { config, settings } = resolve({ flags: { repo: 'https://someone:can@ry@git.example.com/acme/fleet/' } });
  expect(config.scope).toMatchObject({ source: { repository: 'https://git.example.com/acme/fleet' } });
  expect(settings.repo).toBe('https://someone:can@ry@git.example.com/acme/fleet/');
});

test('the URL that Git knows takes the place of what was given', () => {
  const { config } = resolve({ flags: { repo: '.' } });
  const known = withRepository(config, 'file:///real/fleet');
  expect(known.scope).toMatchObject({ name: 'work', source: { repository: 'file:///real/fleet', revision: 'main' } });
  expect(withRepository(resolve().config, 'x')).toEqual(resolve().config);
});

test('the options of rendering are part of the source', () => {
  const options = { kind: 'helm', helm: { releaseName: 'r' } } as const;
  expect(resolve({ flags: { repo, sourceKind: 'helm' }, renderOptionsOf: ({ sourceKind }) => ({ ...options, kind: sourceKind ?? 'directory' }) }).config.scope).toMatchObject({ source: { options } });
});

test.each([
  ['none', undefined],
  ['0.0.0.0:9090', { host: '0.0.0.0', port: 9090 }],
  ['[::1]:0', { host: '::1', port: 0 }],
  ['localhost:8081', { host: 'localhost', port: 8081 }],
])('--listen-operations %s', (listenOperations, expected) => {
  expect(resolve({ flags: { listenOperations } }).config.operations).toEqual(expected);
});

test('a configuration is frozen to the bottom', () => {
  const resolved = resolve({ files: [file('receivers: [{ id: a, provider: github, secretFile: s }]\nnamespaces: [shop]')] });
  const parts = [resolved, resolved.config, resolved.config.scope, resolved.settings.namespaces, resolved.config.hooks?.listen, resolved.config.hooks?.receivers[0]?.secretFiles, resolved.origins.lease];
  expect(parts.map((part) => Object.isFrozen(part))).toEqual(parts.map(() => true));
  expect(parts).not.toContain(undefined);
});

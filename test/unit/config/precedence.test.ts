import { describe, expect, test } from 'vitest';
import { showOrigin } from '../../../src/config/index.ts';
import { file, resolve } from './resolve.ts';

const flags = { interval: '11s' };
const env = { SETPOINT_INTERVAL: '12s' };
const near = file('# of this folder\ninterval: 13s\n', '.setpoint.yaml');
const far = file('interval: 14s\nsweep: 1h\n', '/home/someone/.config/setpoint/config.yaml');

test.each([
  ['a flag, before all others', { flags, env, files: [near, far] }, 11_000, 'flag --interval'],
  ['a variable, before files', { env, files: [near, far] }, 12_000, 'SETPOINT_INTERVAL'],
  ['the nearer file', { files: [near, far] }, 13_000, '.setpoint.yaml:2'],
  ['the farther file', { files: [far] }, 14_000, '/home/someone/.config/setpoint/config.yaml:1'],
  ['the default', {}, 60_000, 'default'],
])('what holds is said by %s', (_name, said, ms, origin) => {
  const { config, origins } = resolve(said);
  expect(config.intervalMs).toBe(ms);
  expect(showOrigin(origins.interval ?? { type: 'default' })).toBe(origin);
});

test('files are laid over each other key by key', () => {
  expect(resolve({ files: [near, far] }).config).toMatchObject({ intervalMs: 13_000, sweepMs: 3_600_000 });
});

test('an empty variable and an empty key say nothing', () => {
  const { config, origins } = resolve({ env: { SETPOINT_INTERVAL: '', SETPOINT_REDIS: '' }, files: [file('interval:\nredis: null\nreceivers: ~\n')] });
  expect(config).toMatchObject({ intervalMs: 60_000, redisUrl: undefined, hooks: undefined });
  expect(origins).toMatchObject({ interval: { type: 'default' } });
});

test('an empty file says nothing', () => {
  expect(resolve({ files: [file('')] }).config).toEqual(resolve().config);
  expect(resolve({ files: [file('# only this\n---\n')] }).config).toEqual(resolve().config);
});

test('a value that is wrong is told also where a flag goes before it', () => {
  expect(() => resolve({ flags, files: [file('interval: soon')] })).toThrow('config.yaml:1: interval wants a duration');
});

describe('the namespace of the agent', () => {
  const account = { file: '/account/namespace', name: 'of-account' };
  test.each([
    [{ flags: { agentNamespace: 'of-flag' }, env: { POD_NAMESPACE: 'of-pod' }, account }, 'of-flag', 'flag --agent-namespace'],
    [{ files: [file('agentNamespace: of-file')], env: { POD_NAMESPACE: 'of-pod' }, account }, 'of-file', 'config.yaml:1'],
    [{ env: { POD_NAMESPACE: 'of-pod' }, account }, 'of-pod', 'POD_NAMESPACE'],
    [{ account }, 'of-account', '/account/namespace:1'],
    [{}, 'setpoint', 'default'],
  ])('%j: %s', (said, name, origin) => {
    const { config, origins } = resolve(said);
    expect(config.scope).toMatchObject({ agentNamespace: name });
    expect(showOrigin(origins.agentNamespace ?? { type: 'default' })).toBe(origin);
  });

  test('of a pod with an impossible one is refused by the name of its variable', () => {
    expect(() => resolve({ env: { POD_NAMESPACE: 'Not One' } })).toThrow('POD_NAMESPACE wants a name of 1 to 63 small letters, digits and dashes, got "Not One"');
  });
});

test('a list in a variable has a line for each item', () => {
  const seen: unknown[] = [];
  resolve({ flags: { repo: '/r' }, env: { SETPOINT_VALUES: 'a.yaml\n/b.yaml\n', SETPOINT_SET: 'a=1,b=2', SETPOINT_SKIP_CRDS: 'false' }, renderOptionsOf: (settings) => (seen.push(settings), {}) });
  expect(seen).toMatchObject([{ values: ['a.yaml', '/b.yaml'], set: ['a=1,b=2'], skipCrds: false }]);
});

import { expect, test } from 'vitest';
import { configKeyNames } from '../../../src/config/index.ts';
import { nearestName } from '../../../src/config/nearest-name.ts';

test.each([
  ['intervall', 'interval'],
  ['intreval', 'interval'],
  ['notify-webhook', 'notifyWebhook'],
  ['LOOKS_AT_ONCE', 'looksAtOnce'],
  ['receiver', 'receivers'],
  ['rep', 'repo'],
  ['kubeConfig', 'kubeconfig'],
  ['listenOperation', 'listenOperations'],
])('%s is nearest to %s', (name, nearest) => {
  expect(nearestName(name, configKeyNames)).toBe(nearest);
});

test.each(['', 'x', 'colour', 'port', '__proto__', 'x'.repeat(100_000)])('%.20s is near to nothing', (name) => {
  expect(nearestName(name, configKeyNames)).toBeUndefined();
});

test('of two that are near, the nearer is meant', () => {
  expect(nearestName('namespacess', ['namespace', 'namespaces'])).toBe('namespaces');
});

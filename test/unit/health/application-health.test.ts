import { expect, test } from 'vitest';
import { applicationHealth } from '../../../src/health/index.ts';
import { resourceKey, type HealthStatus } from '../../../src/model/index.ts';

const resource = (name: string, status: HealthStatus, more: { readonly message?: string; readonly counts?: boolean } = {}) => ({
  key: resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'shop', name }),
  health: { status, ...(more.message === undefined ? {} : { message: more.message }) },
  counts: more.counts ?? true,
});

const order: readonly HealthStatus[] = ['Healthy', 'Suspended', 'Progressing', 'Missing', 'Degraded', 'Unknown'];

test.each(order.slice(1).map((status, index) => [status, order[index] ?? 'Healthy'] as const))('%s is worse than %s', (worse, better) => {
  const expected = { status: worse, message: 'apps/Deployment shop/b' };
  expect(applicationHealth([resource('a', better), resource('b', worse)])).toEqual(expected);
  expect(applicationHealth([resource('b', worse), resource('a', better)])).toEqual(expected);
});

test('nothing is Healthy, and so is all that is', () => {
  expect(applicationHealth([])).toEqual({ status: 'Healthy' });
  expect(applicationHealth([resource('a', 'Healthy', { message: 'no controller has written an address' })])).toEqual({ status: 'Healthy' });
});

test('the first of the worst is named, with its reason, and the others are counted', () => {
  const resources = [resource('a', 'Degraded', { message: 'no node takes it' }), resource('b', 'Progressing'), resource('c', 'Degraded'), resource('d', 'Degraded')];
  expect(applicationHealth(resources)).toEqual({ status: 'Degraded', message: 'apps/Deployment shop/a (and 2 more are Degraded): no node takes it' });
  expect(applicationHealth(resources.slice(0, 3)).message).toBe('apps/Deployment shop/a (and 1 more is Degraded): no node takes it');
});

test('what does not count is not looked at', () => {
  expect(applicationHealth([resource('hook', 'Degraded', { counts: false }), resource('a', 'Suspended')])).toEqual({ status: 'Suspended', message: 'apps/Deployment shop/a' });
});

test('a long reason is cut', () => {
  expect(applicationHealth([resource('a', 'Degraded', { message: 'x'.repeat(900) })]).message).toHaveLength(500);
});

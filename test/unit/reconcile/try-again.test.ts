import { expect, test } from 'vitest';
import { emptyStatus, plainApplication, resourceKey, type AppStatus, type HistoryEntry, type ResourceKey } from '../../../src/model/index.ts';
import { mayTryAgain } from '../../../src/reconcile/try-again.ts';

const endedAt = '2026-01-31T12:00:00.000Z';
const entry = (failed: number): HistoryEntry => ({ id: 1, at: endedAt, revision: 'c1', cause: 'git-ahead', applied: 0, held: 0, failed });
const key = (name: string): ResourceKey => resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name });
const differing = (name: string, since: string): AppStatus['resources'][number] => ({ key: key(name), origin: 'a.yaml#1', type: 'changed', cause: 'git-ahead', since });
const failedOnce: AppStatus = { ...emptyStatus('web'), operation: { id: 'o', type: 'deploy', revision: 'c1', startedAt: endedAt, hooks: {}, state: 'failed', endedAt }, history: [entry(1)], resources: [differing('a', endedAt)] };
const application = plainApplication({ name: 'web', sources: [] });
const mayAfter = (status: AppStatus, seconds: number, { commit = 'c1', retry = application.retry, wanted = ['a'] } = {}): boolean =>
  mayTryAgain(status, { ...application, retry }, { commit, wanted: wanted.map(key), now: new Date(Date.parse(endedAt) + seconds * 1000) });

test.each<[string, AppStatus, number, boolean]>([
  ['the first failure is waited out for 5 s', failedOnce, 4.9, false],
  ['and then tried again', failedOnce, 5, true],
  ['the third for 20 s', { ...failedOnce, history: [entry(1), entry(2), entry(1)] }, 19, false],
  ['and no longer', { ...failedOnce, history: [entry(1), entry(2), entry(1)] }, 20, true],
  ['what succeeded before counts for nothing', { ...failedOnce, history: [entry(1), entry(0), entry(1), entry(1)] }, 5, true],
  ['never longer than 15 minutes', { ...failedOnce, history: Array.from({ length: 10 }, () => entry(1)) }, 900, true],
])('%s', (_name, status, seconds, expected) => {
  expect(mayAfter(status, seconds)).toBe(expected);
});

test('another commit is tried at once, and what did not fail as well', () => {
  expect(mayAfter(failedOnce, 0, { commit: 'c2' })).toBe(true);
  expect(mayAfter({ ...failedOnce, operation: null }, 0)).toBe(true);
});

test('the application may say how long', () => {
  const retry = { durationMs: 60_000, factor: 3, maxDurationMs: 100_000, limit: undefined };
  expect([59, 60].map((seconds) => mayAfter(failedOnce, seconds, { retry }))).toEqual([false, true]);
  const twice = { ...failedOnce, history: [entry(1), entry(1)] };
  expect([99, 100].map((seconds) => mayAfter(twice, seconds, { retry }))).toEqual([false, true]);
});

test('what differs only since then is not made to wait for what failed', () => {
  expect(mayAfter(failedOnce, 1, { wanted: ['a', 'b'] })).toBe(true);
  const since = new Date(Date.parse(endedAt) + 500).toISOString();
  expect(mayAfter({ ...failedOnce, resources: [differing('a', endedAt), differing('b', since)] }, 1, { wanted: ['a', 'b'] })).toBe(true);
  expect(mayAfter({ ...failedOnce, notListed: 3 }, 1, { wanted: ['a', 'b'] })).toBe(false);
});

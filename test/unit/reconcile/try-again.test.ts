import { expect, test } from 'vitest';
import { emptyStatus, plainApplication, type AppStatus, type HistoryEntry } from '../../../src/model/index.ts';
import { mayTryAgain } from '../../../src/reconcile/try-again.ts';

const endedAt = '2026-01-31T12:00:00.000Z';
const entry = (failed: number): HistoryEntry => ({ id: 1, at: endedAt, revision: 'c1', cause: 'git-ahead', applied: 0, held: 0, failed });
const failedOnce: AppStatus = { ...emptyStatus('web'), operation: { id: 'o', type: 'deploy', revision: 'c1', startedAt: endedAt, hooks: {}, state: 'failed', endedAt }, history: [entry(1)] };
const application = plainApplication({ name: 'web', sources: [] });
const mayAfter = (status: AppStatus, seconds: number, { commit = 'c1', retry = application.retry } = {}): boolean =>
  mayTryAgain(status, { ...application, retry }, { commit, now: new Date(Date.parse(endedAt) + seconds * 1000) });

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

import { describe, expect, test } from 'vitest';
import { emptyStatus, plainApplication, resourceKey, type AppStatus, type HistoryEntry, type ResourceKey } from '../../../src/model/index.ts';
import { specName } from '../../../src/plan/index.ts';
import { mayTryAgain, retryInMs } from '../../../src/reconcile/try-again.ts';

const endedAt = '2026-01-31T12:00:00.000Z';
const entry = (failed: number): HistoryEntry => ({ id: 1, at: endedAt, revision: 'c1', cause: 'git-ahead', applied: 0, held: 0, failed });
const key = (name: string): ResourceKey => resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name });
const differing = (name: string, since: string): AppStatus['resources'][number] => ({ key: key(name), origin: 'a.yaml#1', type: 'changed', cause: 'git-ahead', since });
const failedOnce: AppStatus = { ...emptyStatus('web'), operation: { id: 'o', type: 'deploy', revision: 'c1', startedAt: endedAt, hooks: {}, state: 'failed', endedAt }, history: [entry(1)], resources: [differing('a', endedAt)] };
const application = plainApplication({ name: 'web', sources: [] });
const mayAfter = (status: AppStatus, seconds: number, { commit = 'c1', content = 'n1', retry = application.retry, wanted = ['a'], syncOptions = application.syncOptions } = {}): boolean =>
  mayTryAgain(status, { ...application, retry, syncOptions }, { commit, content, wanted: wanted.map(key), now: new Date(Date.parse(endedAt) + seconds * 1000) });

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

test('other sources and another spec are tried at once; of earlier releases they are not on record', () => {
  const operation = { ...failedOnce.operation, content: 'n1', spec: specName(application) } as NonNullable<AppStatus['operation']>;
  expect(mayAfter({ ...failedOnce, operation }, 0)).toBe(false);
  expect(mayAfter({ ...failedOnce, operation }, 0, { content: 'n2' })).toBe(true);
  expect(mayAfter({ ...failedOnce, operation }, 0, { syncOptions: ['CreateNamespace=true'] })).toBe(true);
  expect(mayAfter(failedOnce, 0, { content: 'n2', syncOptions: ['CreateNamespace=true'] })).toBe(false);
});

test('what is only to be deleted waits like the rest', () => {
  expect([4.9, 5].map((seconds) => mayAfter(failedOnce, seconds, { wanted: [] }))).toEqual([false, true]);
});

test('how long is left of the pause', () => {
  const at = (seconds: number): Date => new Date(Date.parse(endedAt) + seconds * 1000);
  expect([0, 4, 6].map((seconds) => retryInMs(failedOnce, application, at(seconds)))).toEqual([5000, 1000, -1000]);
  expect(retryInMs(emptyStatus('web'), application, at(0))).toBeUndefined();
});

describe('a sync that somebody ended', () => {
  const ended: AppStatus = { ...failedOnce, operation: { ...failedOnce.operation, content: 'n1', spec: specName(application), state: 'terminated', isEndedByHand: true } as NonNullable<AppStatus['operation']> };
  const later = new Date(Date.parse(endedAt) + 500).toISOString();
  test.each<[string, AppStatus, Parameters<typeof mayAfter>[2], boolean]>([
    ['is not begun again', ended, {}, false],
    ['nor for what is only to be deleted', ended, { wanted: [] }, false],
    ['nor because something else differs besides', { ...ended, resources: [...ended.resources, differing('b', later)] }, { wanted: ['a', 'b'] }, false],
    ['but for another commit', ended, { commit: 'c2' }, true],
    ['for another source', ended, { content: 'n2' }, true],
    ['for another spec', ended, { syncOptions: ['Replace=true'] }, true],
    ['and where nothing is left of it, for what differs since', { ...ended, resources: [differing('b', later)] }, { wanted: ['b'] }, true],
    ['one that a newer commit ended is no obstacle', { ...ended, operation: { ...ended.operation, isEndedByHand: undefined } as unknown as NonNullable<AppStatus['operation']> }, {}, true],
  ])('%s', (_name, status, wish, expected) => {
    expect(mayAfter(status, 100_000, wish)).toBe(expected);
  });
});

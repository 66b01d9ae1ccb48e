import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWatchHealth, type WatchHealth } from '../../../../src/cluster/watch/watch-health.ts';
import type { WatchFailure } from '../../../../src/cluster/watch/watch-failure.ts';
import type { ServedKind } from '../../../../src/model/index.ts';

const kind: ServedKind = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true, hasStatus: false };
const failure = (state: WatchFailure['state'], code: WatchFailure['code']): WatchFailure => ({ state, code, message: `it is ${state}`, heard: 'answer' });

let health: WatchHealth;
let turns = 0;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2030-01-01T00:00:00Z') });
  turns = 0;
  health = createWatchHealth({ place: { kind, namespace: 'shop' }, trustMs: 180_000, now: () => new Date(), turned: () => (turns += 1) });
});

afterEach(() => {
  health.close();
  vi.useRealTimers();
});

test('before the first list nothing is known, and then everything', () => {
  expect(health.trouble()).toEqual({ code: 'ClusterError', message: 'configmaps in namespace shop: not listed yet' });
  health.listed();
  expect([health.trouble(), turns]).toEqual([undefined, 1]);
});

test('where the first list fails, its failure is the trouble', () => {
  health.failed(failure('retrying', 'ClusterUnreachable'));
  expect(health.trouble()).toMatchObject({ code: 'ClusterUnreachable', message: 'it is retrying' });
  expect(turns).toBe(1);
});

test('a watch that breaks is trusted for a while, and that is told once when it ends', () => {
  health.listed();
  health.watching();
  vi.advanceTimersByTime(60_000);
  health.contact();
  vi.advanceTimersByTime(100_000);
  health.failed(failure('retrying', 'ClusterUnreachable'));
  expect([health.trouble(), health.state, turns]).toEqual([undefined, 'retrying', 1]);
  vi.advanceTimersByTime(80_001);
  expect(health.trouble()).toEqual({ code: 'ClusterUnreachable', message: 'configmaps in namespace shop: not seen since 2030-01-01T00:01:00.000Z: it is retrying' });
  expect(turns).toBe(2);
  vi.advanceTimersByTime(500_000);
  expect(turns).toBe(2);
  health.watching();
  expect([health.trouble(), turns]).toEqual([undefined, 3]);
});

test('a quiet watch stays trusted by what comes now and then', () => {
  health.listed();
  for (let minute = 0; minute < 30; minute += 1) {
    vi.advanceTimersByTime(60_000);
    health.contact();
  }
  expect([health.trouble(), turns]).toEqual([undefined, 1]);
});

test.each([
  ['forbidden', 'Forbidden'],
  ['not-served', 'KindNotServed'],
] as const)('what is %s is not trusted for a moment', (state, code) => {
  health.listed();
  health.failed(failure(state, code));
  expect([health.trouble()?.code, health.state, turns]).toEqual([code, state, 2]);
  health.listed();
  expect(health.trouble()).toBeUndefined();
});

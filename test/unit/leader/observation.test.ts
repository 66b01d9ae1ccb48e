import { expect, test } from 'vitest';
import type { LeaseRecord } from '../../../src/leader/index.ts';
import { freeAt, observe } from '../../../src/leader/observation.ts';

const held: LeaseRecord = {
  holder: 'one',
  transitions: 4,
  durationSeconds: 15,
  renewTime: '2026-03-01T10:00:00.000000Z',
  acquireTime: '2026-03-01T09:00:00.000000Z',
  version: '100',
};
const leaseMs = 15_000;
const first = observe(undefined, { record: held, at: 1_000, leaseMs });

test.each<[string, Partial<LeaseRecord>, number]>([
  ['is the same', {}, 16_000],
  ['has another version only', { version: '101' }, 16_000],
  ['was renewed', { renewTime: '2026-03-01T10:00:02.000000Z' }, 20_000],
  ['was renewed with an earlier time', { renewTime: '2020-01-01T00:00:00.000000Z' }, 20_000],
  ['was renewed with a time far ahead', { renewTime: '2199-01-01T00:00:00.000000Z' }, 20_000],
  ['was acquired anew', { acquireTime: '2026-03-01T10:00:02.000000Z' }, 20_000],
  ['has another holder', { holder: 'two' }, 20_000],
  ['has another term', { transitions: 5 }, 20_000],
  ['is held for longer', { durationSeconds: 60 }, 65_000],
  ['is held for less than we leave it alone', { durationSeconds: 3 }, 20_000],
  ['was released', { holder: '', durationSeconds: 1 }, 5_000],
])('a lease that %s at the second look is free when our own clock says so', (_, change, expected) => {
  expect(freeAt(observe(first, { record: { ...held, ...change }, at: 5_000, leaseMs }))).toBe(expected);
});

test('the newest version is kept, also when nothing else is new', () => {
  expect(observe(first, { record: { ...held, version: '101' }, at: 5_000, leaseMs }).record?.version).toBe('101');
});

test('a lease that was never there is free', () => {
  expect(freeAt(observe(undefined, { record: undefined, at: 1_000, leaseMs }))).toBe(1_000);
});

test('a lease that is deleted is left alone as long as if it had just been renewed, and not longer with each look', () => {
  const gone = observe(first, { record: undefined, at: 5_000, leaseMs });
  expect(freeAt(gone)).toBe(20_000);
  expect(freeAt(observe(gone, { record: undefined, at: 9_000, leaseMs }))).toBe(20_000);
});

test('a lease that is deleted after it was released is free', () => {
  const released = observe(first, { record: { ...held, holder: '' }, at: 5_000, leaseMs });
  expect(freeAt(observe(released, { record: undefined, at: 9_000, leaseMs }))).toBe(9_000);
});

test.each([
  ['that is gone', undefined, 4],
  ['that starts again at one', { ...held, holder: 'two', transitions: 1 }, 4],
  ['that goes on', { ...held, holder: 'two', transitions: 5 }, 5],
])('the highest term is remembered for a lease %s', (_, record, expected) => {
  expect(observe(first, { record, at: 5_000, leaseMs }).transitions).toBe(expected);
});

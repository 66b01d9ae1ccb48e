import { expect, test } from 'vitest';
import { checkTiming, defaultTiming, lostAt, nextLookMs, validUntil } from '../../../src/leader/timing.ts';

test.each([
  ['the default', defaultTiming],
  ['a short one', { leaseMs: 6_000, renewMs: 4_000, retryMs: 1_000 }],
])('%s can be kept', (_, timing) => {
  expect(() => checkTiming(timing)).not.toThrow();
});

test.each([
  ['a part of a second', { ...defaultTiming, leaseMs: 15_500 }],
  ['a lease that ends before its holder gives up', { ...defaultTiming, leaseMs: 10_000 }],
  ['no second try', { ...defaultTiming, renewMs: 2_000 }],
  ['no pause between tries', { ...defaultTiming, retryMs: 0 }],
  ['a lease that the margin eats up', { leaseMs: 3_000, renewMs: 2_000, retryMs: 1_000 }],
  ['what is no number', { ...defaultTiming, renewMs: Number.NaN }],
])('%s is refused', (_, timing) => {
  expect(() => checkTiming(timing)).toThrow(/^A lease of \d+ ms, renewed within .* cannot be kept/);
});

test('a lease is good for two seconds less than others leave it alone, from before it was asked for', () => {
  expect(validUntil(1_000, defaultTiming)).toBe(14_000);
});

test.each([
  ['at once', 0, 12_000],
  ['before the next try was due', 1_999, 12_000],
  ['after it was due', 2_500, 12_500],
  ['so late that the lease runs out first', 4_000, 13_000],
])('a holder tries for ten seconds, but never beyond the lease: answered %s', (_, answeredAt, expected) => {
  expect(lostAt(0, answeredAt, defaultTiming)).toBe(expected);
});

test.each([
  ['is held for long', 15_000, 0, 2_000],
  ['is held for long, with some chance', 15_000, 0.5, 2_250],
  ['is free soon', 300, 0, 300],
  ['is free soon, with some chance', 300, 0.8, 700],
  ['was free, and the try failed', 0, 0, 2_000],
  ['has long been free', -60_000, 0.4, 2_200],
])('who waits for a lease that %s looks again in time', (_, freeInMs, chance, expected) => {
  expect(nextLookMs(freeInMs, defaultTiming, () => chance)).toBe(expected);
});

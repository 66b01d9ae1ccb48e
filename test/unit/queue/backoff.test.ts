import { expect, test } from 'vitest';
import { createFailures, defaultBackoff } from '../../../src/queue/backoff.ts';

const conflict = Object.assign(new Error('changed meanwhile'), { retry: 'soon' });
const outage = new Error('down');

test.each([
  ['an outage', outage, [1_000, 2_000, 4_000, 8_000]],
  ['an error that says later', Object.assign(new Error('down'), { retry: 'later' }), [1_000, 2_000, 4_000, 8_000]],
  ['something that is no error', 'soon', [1_000, 2_000, 4_000, 8_000]],
  ['a conflict', conflict, [5, 10, 20, 40]],
])('%s waits twice as long each time', (_what, error, waits) => {
  const failures = createFailures(defaultBackoff, () => 1);
  expect(waits.map(() => failures.failed('web', error).retryInMs)).toEqual(waits);
});

test('no wait is longer than the longest, however often it fails', () => {
  const failures = createFailures(defaultBackoff, () => 1);
  const longest = (error: unknown): number => {
    for (let count = 0; count < 3_000; count += 1) failures.failed('web', error);
    return failures.failed('web', error).retryInMs;
  };
  expect([longest(outage), longest(conflict)]).toEqual([900_000, 900_000]);
});

test('conflicts and outages of a key are counted apart, and a success forgets both', () => {
  const failures = createFailures({ baseMs: 100, maxMs: 10_000, soonMs: 1 }, () => 1);
  const told = [conflict, conflict, outage, conflict].map((error) => failures.failed('web', error));
  failures.succeeded('web');
  told.push(failures.failed('web', outage), failures.failed('web', conflict));
  expect(told).toEqual([
    { failures: 1, retryInMs: 1 },
    { failures: 2, retryInMs: 2 },
    { failures: 1, retryInMs: 100 },
    { failures: 3, retryInMs: 4 },
    { failures: 1, retryInMs: 100 },
    { failures: 1, retryInMs: 1 },
  ]);
});

test.each([
  [0, 0],
  [0.25, 250],
  [0.999_9, 1_000],
])('a wait is any part of the limit: %d of it', (chance, waitMs) => {
  expect(createFailures(defaultBackoff, () => chance).failed('web', outage)).toEqual({ failures: 1, retryInMs: waitMs });
});

test('keys that are never seen to succeed are forgotten in the end, the oldest first', () => {
  const failures = createFailures(defaultBackoff, () => 1);
  for (let index = 0; index < 25_000; index += 1) failures.failed(`app-${index}`, outage);
  expect(failures.failed('app-24999', outage).failures).toBe(2);
  expect(failures.failed('app-0', outage).failures).toBe(1);
});

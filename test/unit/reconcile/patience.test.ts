import { expect, test } from 'vitest';
import { createPatience } from '../../../src/reconcile/patience.ts';

test('what changes now and then is looked at at once', () => {
  let now = 0;
  const patience = createPatience(() => now);
  for (let edit = 0; edit < 100; edit += 1) {
    expect(patience.delayMs('a')).toBe(0);
    now += 2000;
  }
});

test('what changes all the time is looked at every two seconds after a burst', () => {
  let now = 0;
  const patience = createPatience(() => now);
  const looks = new Set<number>();
  for (; now < 60_000; now += 50) looks.add(now + patience.delayMs('a'));
  expect(looks.size).toBeGreaterThanOrEqual(38);
  expect(looks.size).toBeLessThanOrEqual(41);
});

test('one that is restless does not slow another down', () => {
  const patience = createPatience(() => 0);
  for (let edit = 0; edit < 50; edit += 1) patience.delayMs('a');
  expect(patience.delayMs('a')).toBeGreaterThan(0);
  expect(patience.delayMs('b')).toBe(0);
});

test('many changes at once are two looks', () => {
  let now = 0;
  const patience = createPatience(() => now);
  const looks = new Set<number>();
  for (; now < 50; now += 1) looks.add(now + patience.delayMs('a'));
  expect([...looks]).toEqual([0, 100]);
});

import { expect, test } from 'vitest';
import { createRateLimit } from '../../../src/server/rate-limit.ts';
import { fakeClock } from './fake-clock.ts';

function createSubject() {
  const clock = fakeClock();
  const limit = createRateLimit({ perSecond: 10, burst: 40, now: clock.now });
  const free = (tries: number): number => Array.from({ length: tries }, () => limit.take().type).filter((type) => type === 'free').length;
  return { clock, limit, free };
}

test('a burst goes through, and then ten a second', () => {
  const { clock, limit, free } = createSubject();
  expect(free(100)).toBe(40);
  expect(limit.take()).toEqual({ type: 'wait', seconds: 1 });
  clock.advance(100);
  expect(free(100)).toBe(1);
  clock.advance(1_000);
  expect(free(100)).toBe(10);
});

test('after a rest there is one burst, however long it was', () => {
  const { clock, free } = createSubject();
  free(100);
  clock.advance(86_400_000);
  expect(free(100)).toBe(40);
});

test('those who were refused cost nothing', () => {
  const { clock, free } = createSubject();
  free(10_000);
  clock.advance(1_000);
  expect(free(1)).toBe(1);
});

test('a clock that is set back gives nothing and locks nobody out', () => {
  const { clock, free } = createSubject();
  free(100);
  clock.advance(-3_600_000);
  expect(free(100)).toBe(0);
  clock.advance(1_000);
  expect(free(100)).toBe(10);
});

test('less than one a second says how long to wait', () => {
  const clock = fakeClock();
  const limit = createRateLimit({ perSecond: 0.1, burst: 1, now: clock.now });
  limit.take();
  expect(limit.take()).toEqual({ type: 'wait', seconds: 10 });
});

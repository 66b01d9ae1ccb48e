import { expect, test } from 'vitest';
import { createSeenDeliveries } from '../../../src/server/seen-deliveries.ts';
import { fakeClock } from './fake-clock.ts';

function createSubject() {
  const clock = fakeClock();
  const seen = createSeenDeliveries({ limit: 3, forMs: 1_000, now: clock.now });
  const see = (id: string): Promise<'done' | 'seen'> => seen.once(id, async () => undefined);
  return { clock, seen, see };
}

test('the oldest goes when there are too many', async () => {
  const { see } = createSubject();
  for (const id of ['a', 'b', 'c']) expect(await see(id)).toBe('done');
  expect(await see('a')).toBe('seen');
  expect(await see('d')).toBe('done');
  expect([await see('b'), await see('c'), await see('d')]).toEqual(['seen', 'seen', 'seen']);
  expect(await see('a')).toBe('done');
});

test('what was seen again is not remembered longer for it', async () => {
  const { clock, see } = createSubject();
  await see('a');
  clock.advance(999);
  expect(await see('a')).toBe('seen');
  clock.advance(1);
  expect(await see('a')).toBe('done');
});

test('a clock that was set back by more than the time forgets', async () => {
  const { clock, see } = createSubject();
  await see('a');
  clock.advance(-1_000);
  expect(await see('a')).toBe('done');
});

test('what failed was not seen', async () => {
  const { seen, see } = createSubject();
  await expect(seen.once('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await see('a')).toBe('done');
});

test('an id of any length is an id', async () => {
  const { see } = createSubject();
  const long = 'x'.repeat(100_000);
  expect([await see(long), await see(long), await see(`${long}y`), await see('')]).toEqual(['done', 'seen', 'done', 'done']);
});

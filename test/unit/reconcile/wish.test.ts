import { expect, test } from 'vitest';
import { createWish, type Wish } from '../../../src/reconcile/wish.ts';

const steps: Readonly<Record<string, (wish: Wish, at: number) => void>> = {
  wanted: (wish, at) => wish.wanted(at),
  begun: (wish, at) => wish.begun(at),
  answered: (wish) => wish.answered(),
  failed: (wish) => wish.failed(),
};

test.each([
  ['', undefined],
  ['wanted', 1],
  ['wanted wanted', 1],
  ['wanted begun', 1],
  ['wanted begun answered', undefined],
  ['wanted begun wanted', 1],
  ['wanted begun wanted answered', 3],
  ['wanted begun failed', 1],
  ['wanted begun wanted failed', 1],
  ['wanted begun failed begun', 1],
  ['wanted begun failed begun answered', undefined],
  ['wanted begun failed begun wanted answered', 5],
  ['begun', 1],
  ['begun answered', undefined],
])('after %s it is wanted since %s', (text, since) => {
  const wish = createWish();
  for (const [at, step] of text.split(' ').entries()) steps[step]?.(wish, at + 1);
  expect(wish.since()).toBe(since);
});

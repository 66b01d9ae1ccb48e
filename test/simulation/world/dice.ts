import { seededRandom } from '../../support/seeded-random.ts';

/** All that is left to chance in one seed. */
export interface Dice {
  /** In [0, 1). */
  next(this: void): number;
  chance(probability: number): boolean;
  between(low: number, high: number): number;
  /** A whole number, both ends included. */
  count(low: number, high: number): number;
  pick<T>(items: readonly T[]): T | undefined;
}

export function createDice(seed: number): Dice {
  const { next, below } = seededRandom(seed);
  return {
    next,
    chance: (probability) => next() < probability,
    between: (low, high) => low + next() * (high - low),
    count: (low, high) => low + below(high - low + 1),
    pick: (items) => items[below(items.length)],
  };
}

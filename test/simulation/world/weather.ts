import type { Dice } from './dice.ts';

/** How bad it gets. Each seed has its own mixture: with the same one everywhere some would never be seen. */
export interface Weather {
  readonly lossOfRequests: number;
  readonly lossOfAnswers: number;
  /** A write that the network delivers twice; the sender hears of the second. */
  readonly doubledWrites: number;
  /** How often the cluster answers that it cannot, about one object: it is busy, or broken in part. */
  readonly refusals: number;
  /** How many requests are slow, and how slow one way may be. */
  readonly slow: number;
  readonly slownessMs: number;
  readonly lossOfEvents: number;
  readonly slowEvents: number;
  /** How often a process is struck while it waits for an answer. */
  readonly strikes: number;
  /** Between two things that people do. */
  readonly actionEveryMs: number;
  /** Between two outages or deaths that have nothing to do with requests. */
  readonly faultEveryMs: number;
  /** How much longer than usual one waits for an answer that does not come. */
  readonly patience: number;
  /** How many pushes a webhook tells of. */
  readonly hints: number;
}

export function randomWeather(dice: Dice): Weather {
  return {
    lossOfRequests: dice.next() ** 3 * 0.4,
    lossOfAnswers: dice.next() ** 3 * 0.4,
    doubledWrites: dice.next() ** 3 * 0.5,
    refusals: dice.chance(0.5) ? dice.next() ** 2 * 0.3 : 0,
    slow: dice.next() ** 2 * 0.5,
    slownessMs: dice.next() ** 2 * 6_000,
    lossOfEvents: dice.chance(0.5) ? dice.next() ** 2 * 0.8 : 0,
    slowEvents: dice.next() ** 2 * 0.6,
    strikes: dice.chance(0.6) ? dice.next() ** 2 * 0.06 : 0,
    actionEveryMs: dice.between(1_500, 8_000),
    faultEveryMs: dice.between(6_000, 40_000),
    patience: dice.chance(0.2) ? dice.between(2, 6) : 1,
    hints: dice.chance(0.5) ? dice.next() : 0,
  };
}

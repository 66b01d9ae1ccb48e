import type { createController } from '../../../src/reconcile/index.ts';
import type { Dice } from '../world/dice.ts';

export type Pace = Parameters<typeof createController>[0]['pace'];

/** How the simulated agents are set. The sweep is so rare that it hides nothing that was forgotten. */
export function randomPace(dice: Dice): Pace {
  // Patient agents and those that are soon worried are both wrong in ways of their own.
  return { intervalMs: dice.chance(0.4) ? dice.between(2_000, 6_000) : 20_000, sweepMs: 30 * 60_000, lookMs: 150_000 };
}

export const pollMs = 20_000;

export function staleAfterMs({ intervalMs }: Pace): number {
  return 3 * intervalMs;
}

/** What hides values where they are stored; here there is nothing to hide. */
export const salt = 'salt';

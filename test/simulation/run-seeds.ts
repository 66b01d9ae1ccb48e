import { simulate } from './simulate.ts';

const { SETPOINT_SEED: only, SETPOINT_SEEDS: count = only === undefined ? '500' : '1', SETPOINT_TRACE: isTraced } = process.env;
const first = Number(only ?? 1);

/** The seeds to be tried now, dealt out to so many hands. */
export function seedsOf(hand: number, hands: number): readonly number[] {
  return Array.from({ length: Number(count) }, (_, index) => first + index).filter((seed) => seed % hands === hand);
}

/** What was wrong, and how to see it happen again. With SETPOINT_TRACE each step of each seed is printed. */
export async function runSeeds(seeds: Iterable<number>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const seed of seeds) {
    const lines: string[] = [];
    try {
      const { violations } = await simulate(seed, isTraced === undefined ? {} : { trace: (line) => void lines.push(line) });
      found.push(...violations.map((violation) => `SETPOINT_SEED=${seed} SETPOINT_TRACE=1 npx vitest run --project simulation: ${violation}`));
    } finally {
      if (lines.length > 0) process.stdout.write(`seed ${seed}\n${lines.join('\n')}\n`);
    }
  }
  return found;
}

import { expect, test } from 'vitest';
import { simulate, type Outcome } from './simulation.ts';

const firstSeed = Number(process.env['SETPOINT_SEED'] ?? 1);
const seeds = Number(process.env['SETPOINT_SEEDS'] ?? 2_000);

test(`at most one may write, epochs only grow and somebody leads in the end, for ${seeds} seeds of faults`, async () => {
  const violations: string[] = [];
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    const outcome = await simulate(seed);
    violations.push(...outcome.violations.map((violation) => `SETPOINT_SEED=${seed} SETPOINT_SEEDS=1: ${violation}`));
  }
  expect(violations.slice(0, 10)).toEqual([]);
});

test('a seed is the same story each time', async () => {
  expect(await simulate(42)).toEqual(await simulate(42));
});

test('the weather is bad: leaders sleep, die and stop, answers are lost, and the lead changes hands', async () => {
  const outcomes: Outcome[] = [];
  for (let seed = 1; seed <= 100; seed += 1) outcomes.push(await simulate(seed));
  const sum = (what: keyof Omit<Outcome, 'violations'>): number => outcomes.reduce((total, outcome) => total + outcome[what], 0);
  expect(sum('terms')).toBeGreaterThan(200);
  expect(sum('writes')).toBeGreaterThan(2_000);
  expect(sum('leadersPaused')).toBeGreaterThan(50);
  expect(sum('leadersKilled')).toBeGreaterThan(15);
  expect(sum('leadersStopped')).toBeGreaterThan(15);
  expect(sum('answersLost')).toBeGreaterThan(300);
});

import { describe, expect, test } from 'vitest';
import { mutations } from './mutations.ts';
import { simulate, type Outcome } from './simulate.ts';

const seedsToNotice = 1_000;

describe('the simulation notices', () => {
  test.each(Object.entries(mutations))('%s', async (_name, { spoils, says }) => {
    let said = '';
    for (let seed = 1; seed <= seedsToNotice && !says.test(said); seed += 1) said = (await simulate(seed, { spoils })).violations.join('\n');
    expect(said).toMatch(says);
  });
});

test('a seed is the same story each time, word for word', async () => {
  const storyOf = async (seed: number): Promise<readonly string[]> => {
    const lines: string[] = [];
    await simulate(seed, { trace: (line) => void lines.push(line) });
    return lines;
  };
  for (const seed of [1, 2, 3, 4, 5]) expect(await storyOf(seed)).toEqual(await storyOf(seed));
});

test('a story is the same whether anybody listens or not', async () => {
  for (const seed of [6, 7, 8, 9, 10]) expect(await simulate(seed, { trace: () => undefined })).toEqual(await simulate(seed));
});

test('the weather is bad: agents die, stop and sleep, servers are out of reach, and still things are done', async () => {
  const outcomes: Outcome[] = [];
  for (let seed = 1; seed <= 100; seed += 1) outcomes.push(await simulate(seed));
  const sum = (what: (outcome: Outcome) => number): number => outcomes.reduce((total, outcome) => total + what(outcome), 0);
  expect(sum(({ strikes }) => strikes.kill)).toBeGreaterThan(10);
  expect(sum(({ strikes }) => strikes.stop)).toBeGreaterThan(4);
  expect(sum(({ strikes }) => strikes.pause)).toBeGreaterThan(25);
  expect(sum(({ strikes }) => strikes.cut)).toBeGreaterThan(50);
  expect(sum(({ strikes }) => strikes.flush)).toBeGreaterThan(10);
  expect(sum(({ terms }) => terms)).toBeGreaterThan(100);
  expect(sum(({ statusWrites }) => statusWrites)).toBeGreaterThan(600);
  expect(sum(({ applies }) => applies)).toBeGreaterThan(150);
  expect(sum(({ alerts }) => alerts)).toBeGreaterThan(80);
});

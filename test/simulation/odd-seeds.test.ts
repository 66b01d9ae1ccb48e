import { expect, test } from 'vitest';
import { runSeeds, seedsOf } from './run-seeds.ts';

const seeds = seedsOf(1, 2);

test(`what is recorded, told and done is right whatever goes wrong, for ${seeds.length} odd seeds`, async () => {
  expect(await runSeeds(seeds)).toEqual([]);
});

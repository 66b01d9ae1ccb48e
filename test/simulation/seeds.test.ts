import { expect, test } from 'vitest';
import { runSeeds } from './run-seeds.ts';

const count = 500;

test(`what is recorded, told and done is right whatever goes wrong, for ${count} seeds`, async () => {
  expect(await runSeeds({ first: 1, count, enough: 20 })).toEqual([]);
});

test('a bug that is put in is found by the processes too', async () => {
  const violations = await runSeeds({ first: 1, count: 1_000, plant: 'an inventory that is not kept', enough: 1 });
  expect(violations.join('\n')).toMatch(/^seed \d+, [\d.]+ s: .* is not in its inventory/m);
});

import { expect, test } from 'vitest';
import { createRareWord } from '../../../src/queue/rare-word.ts';

test('says the first at once, and then how many there were, once in a while', () => {
  let time = 0;
  const rarely = createRareWord(1_000, () => time);
  const said: [number, number][] = [];
  for (const at of [0, 1, 500, 999, 1_000, 1_001, 5_000, 5_001]) {
    time = at;
    rarely((times) => said.push([at, times]));
  }
  expect(said).toEqual([
    [0, 1],
    [1_000, 4],
    [5_000, 2],
  ]);
});

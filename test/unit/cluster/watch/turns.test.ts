import { expect, test } from 'vitest';
import { createTurns } from '../../../../src/cluster/watch/turns.ts';

test('only so much work goes on at once, in the order in which it was asked for, and failures give their turn back', async () => {
  const takeTurn = createTurns(2);
  const began: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const works = gates.map(({ promise }, at) =>
    takeTurn(async () => {
      began.push(at);
      await promise;
      return at;
    }).catch(() => -1),
  );
  expect(began).toEqual([0, 1]);
  gates[1]?.reject(new Error('failed'));
  await works[1];
  await Promise.resolve();
  expect(began).toEqual([0, 1, 2]);
  for (const { resolve } of gates) resolve();
  expect(await Promise.all(works)).toEqual([0, -1, 2, 3, 4]);
});

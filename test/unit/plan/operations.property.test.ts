import { expect, test } from 'vitest';
import { seededRandom } from '../../support/seeded-random.ts';
import { createSimulatedSync } from './simulated-sync.ts';

const worlds = 200;
const first = seededRandom().seed;

test(`whatever is lost on the way, syncs keep their order, begin no hook twice, and end (seeds from ${first})`, () => {
  let [hooks, failures] = [0, 0];
  for (let seed = first; seed < first + worlds; seed += 1) {
    const world = createSimulatedSync(seededRandom(seed));
    for (let look = 0; look < 25; look += 1) {
      world.look(true);
      world.passTime(true);
    }
    let calm = 0;
    while (calm < 80 && !world.isConverged()) {
      world.look(false);
      world.passTime(false);
      calm += 1;
    }
    expect({ seed, broken: world.broken, isConverged: world.isConverged() }).toEqual({ seed, broken: [], isConverged: true });
    hooks += world.begun.size;
    failures += world.history.filter(({ state }) => state === 'failed').length;
  }
  // The worlds are worth the name.
  expect(hooks).toBeGreaterThan(worlds);
  expect(failures).toBeGreaterThan(worlds / 20);
});

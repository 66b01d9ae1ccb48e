// One of the processes of `run-seeds.ts`: a run of seeds in → what was wrong with them out, until there are no more.
import { spoilsOf } from './mutations.ts';
import type { Found, Seeds } from './run-seeds.ts';
import { simulate } from './simulate.ts';

async function run({ first, count, plant, enough }: Seeds): Promise<Found> {
  const spoils = spoilsOf(plant);
  const violations: string[] = [];
  let seed = first;
  for (; seed < first + count && violations.length < enough; seed += 1) {
    const outcome = await simulate(seed, { spoils });
    violations.push(...outcome.violations.map((what) => `seed ${seed}, ${what}`));
  }
  return { count: seed - first, violations };
}

process.on('message', (seeds: Seeds) => {
  run(seeds).then(
    (found) => process.send?.(found),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

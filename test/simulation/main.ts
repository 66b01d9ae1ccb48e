// `npm run simulate`: many seeds at once, or the story of one.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Spoils } from './agent/spoils.ts';
import { spoilsOf } from './mutations.ts';
import { runSeeds } from './run-seeds.ts';
import { simulate } from './simulate.ts';

const usage = `npm run simulate                          10,000 seeds on all processors
npm run simulate -- --seeds N --from N    others
npm run simulate -- --seed N              the story of one, step by step
npm run simulate -- --plant BUG           with a bug put in, by its name in test/simulation/mutations.ts, until it is found`;

const progressMs = 10_000;
const enough = 20;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { seeds: { type: 'string', default: '10000' }, from: { type: 'string', default: '1' }, seed: { type: 'string' }, plant: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) {
    console.log(usage);
    return 0;
  }
  const { plant } = values;
  const spoils = spoilsOf(plant);
  if (values.seed !== undefined) return tell(wholeNumber('--seed', values.seed), spoils);
  return runMany({ first: wholeNumber('--from', values.from), count: wholeNumber('--seeds', values.seeds), plant, enough: plant === undefined ? enough : 1 });
}

async function tell(seed: number, spoils: Spoils): Promise<number> {
  const { violations } = await simulate(seed, { spoils, trace: (line) => console.log(line) });
  return violations.length === 0 ? 0 : 1;
}

async function runMany(seeds: Parameters<typeof runSeeds>[0]): Promise<number> {
  const started = performance.now();
  const seconds = (): string => ((performance.now() - started) / 1000).toFixed(1);
  let told = started;
  let seen = 0;
  const violations = await runSeeds(seeds, (done) => {
    seen = done;
    if (performance.now() - told < progressMs) return;
    told = performance.now();
    console.error(`${done} of ${seeds.count} seeds, ${seconds()} s`);
  });
  for (const violation of violations) console.log(violation);
  console.log(`${seen} seeds, ${violations.length} violations, ${seconds()} s on ${availableParallelism()} processors`);
  return violations.length === 0 ? 0 : 1;
}

function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${option} takes a whole number from 1 on, not '${text}'`);
  return Number(text);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

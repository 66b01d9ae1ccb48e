// The whole agent from outside: 200 Applications on a control plane of its own, measured through their status.
import { measureBurst } from './agent/burst.ts';
import { measureCommits } from './agent/commit.ts';
import { measureCreate } from './agent/create.ts';
import { measureEdits } from './agent/edits.ts';
import { measureIdle } from './agent/idle.ts';
import { measureRestart } from './agent/restart.ts';
import { openWorld } from './agent/world.ts';
import type { Bench, BenchOptions, BenchResult, Figure } from './bench.ts';
import { lineOf } from './results.ts';
import { serverOf } from './sync.ts';

export const benchAgent: Bench = { summary: 'the agent with 200 Applications, from live edit to status, idle and restarted', run };

async function run(options: BenchOptions): Promise<BenchResult> {
  await using world = await openWorld(options);
  const figures: Figure[] = [];
  const add = (more: readonly Figure[]): void => {
    figures.push(...more);
    for (const figure of more) options.print(lineOf(figure));
  };
  options.say('starting the agent');
  await using agent = await world.startAgent();
  await agent.ready(world.signal);
  try {
    add(await measureCreate(world, agent, options));
    add(await measureEdits(world, options));
    add(await measureBurst(world, options));
    add(await measureCommits(world, agent, options));
    add(await measureIdle(world, agent, options));
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${await agent.lastLines()}`, { cause: error });
  }
  const restart = await measureRestart(world, agent, options);
  await using again = restart.agent;
  add(restart.figures);
  await again.stop();
  return { figures, against: await serverOf(world), failures: restart.failures };
}

// What desired state costs next to git, helm and kubectl: a large repository, one-file commits, restarts, and renders.
import { git } from '../test/support/git-command.ts';
import type { Bench, BenchOptions, BenchResult, Figure } from './bench.ts';
import { lineOf } from './results.ts';
import { measureAgents } from './source/agents.ts';
import { measureFirstFetch, measureIncremental, measurePoll, type Measured } from './source/fetches.ts';
import { measureReading } from './source/reading.ts';
import { measureRenders } from './source/renders.ts';
import { worstOf, type Stall } from './source/stall.ts';
import { inMs } from './source/timing.ts';
import { openWorld } from './source/world.ts';

export const benchSource: Bench = { summary: 'fetching, reading and rendering next to git, helm and kubectl', run };

const longestMs = 50;

async function run(options: BenchOptions): Promise<BenchResult> {
  await using world = await openWorld(options);
  const figures: Figure[] = [];
  const failures: string[] = [];
  const stalls: [string, Stall][] = [];
  const add = (measured: Measured): void => {
    figures.push(...measured.figures);
    failures.push(...measured.failures);
    stalls.push(...Object.entries(measured.stalls));
    for (const figure of measured.figures) options.print(lineOf(figure));
  };
  add(await measureFirstFetch(world, options));
  add(await measurePoll(world, options));
  add(await measureIncremental(world, options));
  add(await measureReading(world, options));
  add(await measureAgents(world, options));
  add(await measureRenders(options));
  add({ figures: [stallFigure(stalls, options)], stalls: {}, failures: [] });
  return { figures, failures, against: `${await git(['--version'], { cwd: world.gitDir })}, a server by git http-backend on the same machine` };
}

function stallFigure(stalls: readonly [string, Stall][], { quick }: BenchOptions): Figure {
  const worst = worstOf(stalls.map(([, stall]) => stall));
  const each = stalls.map(([phase, { ms, busyMs }]) => `${phase} ${inMs(ms)} (${inMs(busyMs)})`);
  return {
    what: 'longest stall of the main thread',
    value: inMs(worst.ms),
    conditions: `by the event loop’s own delay, and in brackets what the thread computed at most between two turns: ${each.join(', ')}`,
    target: { wanted: `< ${longestMs} ms`, met: quick ? undefined : worst.ms < longestMs },
  };
}

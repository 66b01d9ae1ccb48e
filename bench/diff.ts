// What the local comparison buys: what it cannot prove, its rates, its requests and its memory, next to a dry-run of everything.
import type { Bench, BenchOptions, BenchResult, Figure } from './bench.ts';
import { measureMemory } from './diff/memory.ts';
import { measureRates } from './diff/rates.ts';
import { measureRequests } from './diff/requests.ts';
import { measureUnsure } from './diff/unsure.ts';
import { openWorld, type World } from './diff/world.ts';
import { lineOf } from './results.ts';

export const benchDiff: Bench = { summary: 'the local comparison next to a dry-run of everything', run };

async function run(options: BenchOptions): Promise<BenchResult> {
  await using world = await openWorld(options);
  const figures: Figure[] = [];
  const add = (more: readonly Figure[]): void => {
    figures.push(...more);
    for (const figure of more) options.print(lineOf(figure));
  };
  const unsure = await measureUnsure(world, options);
  add(unsure.figures);
  const rates = await measureRates(world, unsure.proven, options);
  add(rates.figures);
  add(await measureRequests(world, options));
  // Last: the controllers are busy with what it makes for long after.
  add(await measureMemory(world, options));
  return { figures, against: await serverOf(world), failures: [...unsure.failures, ...rates.failures] };
}

/** Not where it came from: that may be a path of this machine. */
async function serverOf({ admin }: World): Promise<string> {
  const { serverVersion } = JSON.parse(await admin.kubectl(['version', '-o', 'json'])) as { readonly serverVersion: { readonly gitVersion: string } };
  return `Kubernetes ${serverVersion.gitVersion}, ${admin.description.auditLogFile === null ? 'a cluster that was there' : 'all of it on the same machine'}`;
}

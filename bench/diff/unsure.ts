// How much of what is in sync can be proven so without asking.
import type { Target } from '../../src/cluster/index.ts';
import { isSecret, prove } from '../../src/diff/index.ts';
import { displayKey } from '../../src/model/index.ts';
import type { BenchOptions, Figure } from '../bench.ts';
import { explain } from './explain.ts';
import { compareLocally } from './local.ts';
import type { DeployedSet, World } from './world.ts';

export interface UnsureResult {
  readonly figures: readonly Figure[];
  /** Whose verdict needs nobody else. */
  readonly proven: readonly Target[];
  readonly failures: readonly string[];
}

export async function measureUnsure(world: World, { verbose, print }: BenchOptions): Promise<UnsureResult> {
  const [figures, proven, failures]: [Figure[], Target[], string[]] = [[], [], []];
  for (const set of world.sets) {
    const unsure: Target[] = [];
    for (const target of set.targets) {
      const { object: live } = world.liveOf(target);
      const { compared, asked } = await compareLocally(target, world);
      const answer = isSecret(live) ? 'equal' : prove(target.manifest.object, live, world.schemaOf(target)?.schema);
      if (answer === 'different' || (!asked && (compared === 'unsettled' || compared.diff.type !== 'same'))) {
        failures.push(`${displayKey(target.manifest.key)} is as it was applied, and is said to differ: ${reasonsFor(target, world).join('; ')}`);
      } else (asked ? unsure : proven).push(target);
    }
    figures.push(figureOf(set, unsure.length));
    if (verbose) for (const line of describe(unsure, set, world)) print(line);
  }
  return { figures, proven, failures };
}

function figureOf({ name, targets }: DeployedSet, unsure: number): Figure {
  const rate = targets.length === 0 ? 0 : (100 * unsure) / targets.length;
  return {
    what: `UNSURE in steady state, ${name}`,
    value: `${rate.toFixed(1)} %`,
    conditions: `${unsure} of ${targets.length} objects, just applied, controllers done; Secrets are never asked about`,
    target: { wanted: '< 5 %', met: rate < 5 },
  };
}

function reasonsFor(target: Target, world: World): readonly string[] {
  const reasons = explain(target.manifest.object, world.liveOf(target).object, world.schemaOf(target)?.schema);
  return [...new Set(reasons.map(({ path, why }) => `${path}: ${why}`))];
}

function describe(unsure: readonly Target[], { name, targets }: DeployedSet, world: World): readonly string[] {
  const lines = [`\nUNSURE of ${name}, by kind:`];
  const kinds = Map.groupBy(targets, ({ kind }) => kind.kind);
  for (const [kind, group] of Map.groupBy(unsure, (target) => target.kind.kind)) {
    lines.push(`  ${kind}: ${group.length} of ${kinds.get(kind)?.length ?? 0}`);
    const counts = new Map<string, number>();
    for (const reason of group.flatMap((target) => reasonsFor(target, world))) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    for (const [reason, count] of [...counts].toSorted(([, a], [, b]) => b - a)) lines.push(`    ${String(count).padStart(4)}  ${reason}`);
  }
  return lines;
}

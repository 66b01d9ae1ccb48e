import { randomUUID } from 'node:crypto';
import { tagWith } from '../diff/index.ts';
import { revertsForeign, SetpointError, type ResourceKey } from '../model/index.ts';
import { compareAll, driftRulesOf } from '../reconcile/index.ts';
import type { CliDependencies } from './dependencies.ts';
import type { DiffFlags } from './diff.ts';
import { exitCodeOfDiffs, toleratingDrift } from './exit-code.ts';
import { openApplication } from './open-application.ts';
import { printDiffs } from './print-diffs.ts';
import { createProgress } from './progress.ts';
import { readIgnoreRules } from './read-ignore-rules.ts';
import { demandMatches, parseResourceFilter } from './resource-filter.ts';
import { untilInterrupted } from './status-interrupt.ts';
import { ignoresOf } from './sync-application.ts';

/** `setpoint diff APP`: an Application of the cluster as its agent compares it, but for what only an agent remembers. */
export async function runDiffApplication(flags: DiffFlags & { readonly app: string }, dependencies: CliDependencies): Promise<void> {
  const { process, finish } = dependencies;
  if (flags.watch) throw new SetpointError('Usage', `an Application is watched by its agent: leave out --watch, or follow setpoint status ${flags.app} --watch`);
  const isAskedFor = parseResourceFilter(flags.resource);
  const forAll = await readIgnoreRules(flags.ignoreRules);
  const signal = untilInterrupted(process);
  await using opened = await openApplication(flags, process, { signal });
  const { application, cluster, context, rendered } = opened;
  const [ignores, drift] = [ignoresOf(application, forAll), driftRulesOf(application)];
  const progress = createProgress(process.stderr);
  const declared: ResourceKey[] = [];
  const wants = (key: ResourceKey): boolean => {
    declared.push(key);
    return isAskedFor(key);
  };
  const { compared, notices } = await compareAll(rendered.documents, {
    ...{ cluster, namespace: application.destination.namespace, salt: '', tag: tagWith(randomUUID()), signal, onProgress: progress.show },
    ...{ revertsForeign: revertsForeign(application.policy), ...(drift && { drift }), ...(ignores && { ignores }) },
    ...(flags.resource.length === 0 ? {} : { wants }),
  }).finally(() => progress.clear());
  demandMatches(flags.resource, declared, rendered.findings);
  const [diffs, findings] = [compared.map(({ diff }) => diff), [...rendered.findings, ...notices]];
  const code = exitCodeOfDiffs(diffs, findings);
  finish(flags.exitCode ? code : toleratingDrift(code));
  await printDiffs({ diffs, findings, context }, flags, dependencies);
}

import { randomUUID } from 'node:crypto';
import { tagWith } from '../diff/index.ts';
import { SetpointError, stringifyJson, type Diff, type Finding, type JsonObject, type Plan } from '../model/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { commandText, operationText } from './format/plan-operation.ts';
import { planText } from './format/plan.ts';
import { printable } from './format/index.ts';
import { healthRulesAtHand } from './health-rules-at-hand.ts';
import { openApplication } from './open-application.ts';
import { createProgress } from './progress.ts';
import { readIgnoreRules } from './read-ignore-rules.ts';
import { untilInterrupted } from './status-interrupt.ts';
import type { StatusItem } from './status-item.ts';
import type { PlaceFlags } from './status-place.ts';
import { ignoresOf } from './sync-application.ts';
import { planByHand } from './sync-plan.ts';
import { syncRequestFrom, type RequestFlags } from './sync-request.ts';
import { selectResources } from './sync-resources.ts';
import { isUnderWay } from './sync-standing.ts';
import { userName } from './sync-user.ts';

export interface PlanFlags extends PlaceFlags, RequestFlags {
  readonly app: string;
  readonly resource: readonly string[];
  readonly gitCredentials?: string;
  /** Rules that hold beside its own. */
  readonly ignoreRules?: string;
}

interface Planned {
  readonly item: StatusItem;
  readonly plan: Plan;
  readonly diffs: readonly Diff[];
  readonly findings: readonly Finding[];
}

/** The plan of an Application of the cluster. The agent is not asked, and nothing is written. */
export async function planOfApplication(flags: PlanFlags, process: NodeJS.Process, signal: AbortSignal): Promise<Planned> {
  if (flags.state !== undefined) throw new SetpointError('Usage', 'a plan is made from the Application, and a state folder has none: leave out --state, or use setpoint diff -f FOLDER --plan');
  const { env } = process;
  const forAll = await readIgnoreRules(flags.ignoreRules);
  const asking = { id: randomUUID(), by: userName(env) };
  await using opened = await openApplication(flags, process, { signal, revisionOf: ({ status }) => syncRequestFrom(flags, { ...asking, status, resources: undefined }).revision });
  const { application, cluster, commit, commits, item, rendered, warn } = opened;
  const progress = createProgress(process.stderr);
  try {
    const subject = { application, commit, commits, rendered, status: item.status, ignores: ignoresOf(application, forAll) };
    const planned = await planByHand(
      { ...subject, request: (keys) => syncRequestFrom(flags, { ...asking, status: item.status, resources: selectResources(flags.resource, keys) }) },
      { cluster, tag: tagWith(randomUUID()), now: new Date(), signal, onProgress: progress.show, healthRules: await healthRulesAtHand(process, warn, signal) },
    );
    return { ...planned, item, findings: rendered.findings };
  } finally {
    progress.clear();
  }
}

interface DryRunFlags extends PlanFlags {
  readonly output: 'text' | 'json';
  readonly color: 'auto' | 'always' | 'never';
}

/** `setpoint sync --dry-run`. */
export async function runSyncPlan(flags: DryRunFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const { item, plan } = await planOfApplication(flags, process, untilInterrupted(process));
  finish(exitCode.done);
  if (flags.output === 'json') return output.write(`${stringifyJson(plan as unknown as JsonObject, 2)}\n`);
  output.write(planText(plan, { colors: output.colors(flags.color), ...(process.stdout.isTTY ? { width: process.stdout.columns } : {}) }));
  const { operation } = item.status;
  if (isUnderWay(operation)) process.stderr.write(`setpoint: another sync is under way, and ends first: ${operationText(operation)}\n`);
  if (plan.begins !== undefined) process.stderr.write(`exactly this, and nothing else: ${commandText('sync', item)}${flags.prune ? ' --prune' : ''} --approve ${printable(plan.hash)}\n`);
}

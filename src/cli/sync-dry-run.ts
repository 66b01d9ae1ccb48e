import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createCluster, loadKubeconfig } from '../cluster/index.ts';
import { cacheFolder } from '../config/index.ts';
import { tagWith } from '../diff/index.ts';
import { SetpointError, stringifyJson, type Diff, type Finding, type JsonObject, type Plan } from '../model/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { commandText, operationText } from './format/plan-operation.ts';
import { planText } from './format/plan.ts';
import { oneLine, printable } from './format/index.ts';
import { healthRulesAtHand } from './health-rules-at-hand.ts';
import { createProgress } from './progress.ts';
import { createClusterSource } from './status-cluster.ts';
import { untilInterrupted } from './status-interrupt.ts';
import type { StatusItem } from './status-item.ts';
import type { PlaceFlags } from './status-place.ts';
import { atRevision, ignoresOf, renderWanted, wantedApplication } from './sync-application.ts';
import { planByHand } from './sync-plan.ts';
import { syncRequestFrom, type RequestFlags } from './sync-request.ts';
import { selectResources } from './sync-resources.ts';
import { isUnderWay } from './sync-standing.ts';
import { userName } from './sync-user.ts';

export interface PlanFlags extends PlaceFlags, RequestFlags {
  readonly app: string;
  readonly resource: readonly string[];
  readonly gitCredentials?: string;
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
  const [warn, now] = [(text: string): void => void process.stderr.write(`setpoint: ${oneLine(text)}\n`), (): Date => new Date()];
  const connection = await loadKubeconfig({ file: flags.kubeconfig, context: flags.context });
  const cluster = createCluster(connection, { schemaCache: join(cacheFolder(env), 'schemas') });
  const usual = connection.namespace ?? 'default';
  await using source = createClusterSource({ cluster, context: connection.context, namespace: usual, now, warn });
  const item = await source.find(flags, signal);
  const object = await cluster.applications().get(item.id, signal);
  if (object === undefined) throw new SetpointError('Usage', `there is no Application ${item.id} any more`);
  const asking = { id: randomUUID(), by: userName(env), status: item.status };
  const { revision } = syncRequestFrom(flags, { ...asking, resources: undefined });
  const application = atRevision(wantedApplication(object, usual), revision);
  const { commit, commits, rendered } = await renderWanted(application, { env, gitCredentials: flags.gitCredentials, cluster, warn }, signal);
  const progress = createProgress(process.stderr);
  try {
    const subject = { application, commit, commits, rendered, status: item.status, ignores: ignoresOf(application) };
    const planned = await planByHand(
      { ...subject, request: (keys) => syncRequestFrom(flags, { ...asking, resources: selectResources(flags.resource, keys) }) },
      { cluster, tag: tagWith(randomUUID()), now: now(), signal, onProgress: progress.show, healthRules: await healthRulesAtHand(process, warn, signal) },
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

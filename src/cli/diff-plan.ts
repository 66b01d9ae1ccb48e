import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createCluster, loadKubeconfig } from '../cluster/index.ts';
import { cacheFolder } from '../config/index.ts';
import { tagWith } from '../diff/index.ts';
import { emptyStatus, plainApplication, SetpointError, stringifyJson, type Diff, type Finding, type JsonObject, type Plan } from '../model/index.ts';
import { createSourceRenderer } from '../sources.ts';
import type { CliDependencies } from './dependencies.ts';
import type { DiffFlags } from './diff.ts';
import { exitCodeOfDiffs, toleratingDrift } from './exit-code.ts';
import { planText } from './format/plan.ts';
import { oneLine } from './format/index.ts';
import { healthRulesAtHand } from './health-rules-at-hand.ts';
import { openManifests } from './manifest-reader.ts';
import { createProgress } from './progress.ts';
import { readIgnoreRules } from './read-ignore-rules.ts';
import { untilInterrupted } from './status-interrupt.ts';
import { planOfApplication } from './sync-dry-run.ts';
import { planByHand } from './sync-plan.ts';
import { syncRequestFrom } from './sync-request.ts';
import { selectResources } from './sync-resources.ts';
import { userName } from './sync-user.ts';

interface Planned {
  readonly plan: Plan;
  readonly diffs: readonly Diff[];
  readonly findings: readonly Finding[];
}

/** `setpoint diff --plan`: what a sync by hand would do about the differences. */
export async function runDiffPlan(flags: DiffFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const { app, filename, output: format } = flags;
  if (flags.watch) throw new SetpointError('Usage', '--plan is printed once: leave out --watch');
  if (format !== undefined && format !== 'json') throw new SetpointError('Usage', `--plan is printed as a table or with -o json, got -o ${format}`);
  const signal = untilInterrupted(process);
  const { plan, diffs, findings } =
    app !== undefined ? await planOfApplication({ ...flags, app, prune: flags.prune, approve: [] }, process, signal) : await planOfFiles({ ...flags, filename: filename ?? '' }, process, signal);
  const code = exitCodeOfDiffs(diffs, findings);
  finish(flags.exitCode ? code : toleratingDrift(code));
  for (const { severity, origin, message } of findings) process.stderr.write(`setpoint: ${oneLine(`${origin}: ${severity}: ${message}`)}\n`);
  if (format === 'json') return output.write(`${stringifyJson(plan as unknown as JsonObject, 2)}\n`);
  output.write(planText(plan, { colors: output.colors(flags.color), ...(process.stdout.isTTY ? { width: process.stdout.columns } : {}) }));
}

/** Of manifests that no Application names: nothing was applied for them before, so nothing is pruned. */
async function planOfFiles(flags: DiffFlags & { readonly filename: string }, process: NodeJS.Process, signal: AbortSignal): Promise<Planned> {
  const ignores = await readIgnoreRules(flags.ignoreRules);
  await using closing = new AsyncDisposableStack();
  const renderer = createSourceRenderer({ renderer: flags.renderer, env: process.env });
  closing.defer(() => renderer.close());
  const manifests = await openManifests(flags, renderer, process.stdin);
  const connection = await loadKubeconfig({ file: flags.kubeconfig, context: flags.context });
  const cluster = createCluster(connection, { schemaCache: join(cacheFolder(process.env), 'schemas') });
  closing.defer(() => cluster.close());
  const namespace = flags.namespace ?? connection.namespace ?? 'default';
  const capabilities = async (): Promise<{ readonly kubeVersion: string; readonly apiVersions: readonly string[] }> => {
    const { apiVersions, kubeVersion } = await cluster.discover(signal);
    return { apiVersions, kubeVersion: await kubeVersion(signal) };
  };
  const rendered = await manifests.read({ namespace, capabilities, signal });
  const status = emptyStatus(flags.filename);
  const progress = createProgress(process.stderr);
  closing.defer(() => progress.clear());
  const asking = { id: randomUUID(), by: userName(process.env), status };
  const planned = await planByHand(
    {
      ...{ application: plainApplication({ name: flags.filename, sources: [], destination: { namespace } }), commit: null, commits: [], rendered, status, ignores },
      request: (keys) => syncRequestFrom({ prune: false, approve: [] }, { ...asking, resources: selectResources(flags.resource, keys) }),
    },
    { cluster, tag: tagWith(randomUUID()), now: new Date(), signal, onProgress: progress.show, healthRules: await healthRulesAtHand(process, (text) => void process.stderr.write(`setpoint: ${oneLine(text)}\n`), signal) },
  );
  return { ...planned, findings: rendered.findings };
}

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createCluster, limitDryRuns, loadKubeconfig, type Cluster } from '../cluster/index.ts';
import { cacheFolder } from '../config/index.ts';
import { tagWith } from '../diff/index.ts';
import type { Diff, ResourceKey } from '../model/index.ts';
import { compareAll, type Standing } from '../reconcile/index.ts';
import type { Capabilities, Rendered } from '../render/index.ts';
import { createSourceRenderer } from '../sources.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode, exitCodeOfDiffs, toleratingDrift } from './exit-code.ts';
import { openManifests, type ReaderFlags } from './manifest-reader.ts';
import { printDiffs, type PrintFlags } from './print-diffs.ts';
import { printNews } from './print-news.ts';
import { createProgress } from './progress.ts';
import { readIgnoreRules } from './read-ignore-rules.ts';
import { demandMatches, parseResourceFilter } from './resource-filter.ts';
import type { Look } from './news.ts';
import { watchDiff } from './watch-diff.ts';

export interface DiffFlags extends PrintFlags, Omit<ReaderFlags, 'filename'> {
  /** An Application of the cluster, in place of files. */
  readonly app?: string | undefined;
  readonly filename?: string;
  readonly plan: boolean;
  readonly prune: boolean;
  readonly gitCredentials?: string;
  readonly namespace?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly resource: readonly string[];
  readonly ignoreRules?: string;
  readonly exitCode: boolean;
  readonly watch: boolean;
}

/** The path of the agent, on local files and without writing anything. */
export async function runDiff(flags: DiffFlags & { readonly filename: string }, dependencies: CliDependencies): Promise<void> {
  const { process, output, finish } = dependencies;
  const isAskedFor = parseResourceFilter(flags.resource);
  const ignores = await readIgnoreRules(flags.ignoreRules);
  const interrupt = new AbortController();
  process.once('SIGINT', () => {
    interrupt.abort();
    process.exit(exitCode.interrupted);
  });
  const renderer = createSourceRenderer({ renderer: flags.renderer, env: process.env });
  const manifests = await openManifests(flags, renderer, process.stdin);
  // What is wrong with plain manifests is told without a cluster; charts may ask for it.
  const plain = manifests.reachesOut ? undefined : await manifests.read({ namespace: flags.namespace ?? '', capabilities: undefined, signal: interrupt.signal });
  const connection = await loadKubeconfig({ file: flags.kubeconfig, context: flags.context });
  const cluster = createCluster(connection, { schemaCache: join(cacheFolder(process.env), 'schemas') });
  const namespace = flags.namespace ?? connection.namespace ?? 'default';
  let discoverKinds: Cluster['discover'] = cluster.discover;
  const capabilities = async (): Promise<Capabilities> => {
    const { apiVersions, kubeVersion } = await discoverKinds(interrupt.signal);
    return { apiVersions, kubeVersion: await kubeVersion(interrupt.signal) };
  };
  const read = (): Promise<Rendered> => manifests.read({ namespace, capabilities, signal: interrupt.signal });
  let unused: Rendered | undefined = plain ?? (await read());
  const tag = tagWith(randomUUID());
  const progress = createProgress(process.stderr);
  // One who stays must not turn a storm of changes into a storm of dry runs.
  const limited = limitDryRuns(cluster);

  const look = async (standing?: Standing, discover: Cluster['discover'] = cluster.discover): Promise<Look> => {
    discoverKinds = discover;
    const { documents, findings } = unused ?? (await read());
    unused = undefined;
    const declared: ResourceKey[] = [];
    const wants = (key: ResourceKey): boolean => {
      declared.push(key);
      return isAskedFor(key);
    };
    const { compared, notices } = await compareAll(documents, {
      ...{ cluster: { ...cluster, ...(standing === undefined ? {} : limited), discover }, namespace, salt: '', tag, signal: interrupt.signal, onProgress: progress.show },
      ...(flags.resource.length === 0 ? {} : { wants }),
      ...(ignores === undefined ? {} : { ignores }),
      ...(standing === undefined ? {} : { standing }),
    });
    progress.clear();
    demandMatches(flags.resource, declared, findings);
    return { diffs: compared.map(({ diff }) => diff), findings: [...findings, ...notices] };
  };
  const print = (diffs: readonly Diff[], findings: Look['findings']): Promise<void> =>
    printDiffs({ diffs, findings, context: connection.context }, flags, dependencies);
  const conclude = ({ diffs, findings }: Look): void => {
    const code = exitCodeOfDiffs(diffs, findings);
    finish(flags.exitCode ? code : toleratingDrift(code));
  };

  try {
    if (!flags.watch) {
      const result = await look();
      conclude(result);
      await print(result.diffs, result.findings);
      return;
    }
    let isFirst = true;
    await watchDiff({
      ...{ cluster, path: manifests.place, ...(manifests.reachesOut ? { read } : {}), compare: look, signal: AbortSignal.any([interrupt.signal, output.readerGone]) },
      warn: (text) => void process.stderr.write(`setpoint: ${text}\n`),
      async print(result, news) {
        conclude(result);
        if (isFirst) await print(result.diffs, result.findings);
        else printNews(news, { flags, context: connection.context, process, output });
        isFirst = false;
      },
    });
  } finally {
    progress.clear();
    await Promise.all([cluster.close(), renderer.close()]);
  }
}

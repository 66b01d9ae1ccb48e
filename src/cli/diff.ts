import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createCluster, limitDryRuns, loadKubeconfig, type Cluster } from '../cluster/index.ts';
import { cacheFolder } from '../config/index.ts';
import { tagWith } from '../diff/index.ts';
import type { Diff, ResourceKey } from '../model/index.ts';
import { compareAll, type Standing } from '../reconcile/index.ts';
import { readLocalFiles, renderPlain } from '../render/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode, exitCodeOfDiffs, toleratingDrift } from './exit-code.ts';
import { printDiffs, type PrintFlags } from './print-diffs.ts';
import { printNews } from './print-news.ts';
import { createProgress } from './progress.ts';
import { readIgnoreRules } from './read-ignore-rules.ts';
import { demandMatches, parseResourceFilter } from './resource-filter.ts';
import type { Look } from './news.ts';
import { watchDiff } from './watch-diff.ts';

export interface DiffFlags extends PrintFlags {
  readonly filename: string;
  readonly namespace?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly resource: readonly string[];
  readonly ignoreRules?: string;
  readonly exitCode: boolean;
  readonly watch: boolean;
}

/** The path of the agent, on local files and without writing anything. */
export async function runDiff(flags: DiffFlags, dependencies: CliDependencies): Promise<void> {
  const { process, output, finish } = dependencies;
  const isAskedFor = parseResourceFilter(flags.resource);
  const ignores = await readIgnoreRules(flags.ignoreRules);
  const interrupt = new AbortController();
  process.once('SIGINT', () => {
    interrupt.abort();
    process.exit(exitCode.interrupted);
  });
  const read = createReader(flags.filename, process);
  let unused: Rendered | undefined = await read();
  const connection = await loadKubeconfig({ file: flags.kubeconfig, context: flags.context });
  const cluster = createCluster(connection, { schemaCache: join(cacheFolder(process.env), 'schemas') });
  const namespace = flags.namespace ?? connection.namespace ?? 'default';
  const tag = tagWith(randomUUID());
  const progress = createProgress(process.stderr);
  // One who stays must not turn a storm of changes into a storm of dry runs.
  const limited = limitDryRuns(cluster);

  const look = async (standing?: Standing, discover: Cluster['discover'] = cluster.discover): Promise<Look> => {
    const { documents, findings } = unused ?? (await read());
    unused = undefined;
    const declared: ResourceKey[] = [];
    const wants = (key: ResourceKey): boolean => {
      declared.push(key);
      return isAskedFor(key);
    };
    const { compared } = await compareAll(documents, {
      ...{ cluster: { ...cluster, ...(standing === undefined ? {} : limited), discover }, namespace, salt: '', tag, signal: interrupt.signal, onProgress: progress.show },
      ...(flags.resource.length === 0 ? {} : { wants }),
      ...(ignores === undefined ? {} : { ignores }),
      ...(standing === undefined ? {} : { standing }),
    });
    progress.clear();
    demandMatches(flags.resource, declared, findings);
    return { diffs: compared.map(({ diff }) => diff), findings };
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
      ...{ cluster, path: flags.filename, compare: look, signal: AbortSignal.any([interrupt.signal, output.readerGone]) },
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
    await cluster.close();
  }
}

type Rendered = ReturnType<typeof renderPlain>;

/** Standard input can be read once; files are read again each time, and what they held last stays the same value while they do. */
function createReader(path: string, process: NodeJS.Process): () => Promise<Rendered> {
  let last: { readonly content: string; readonly rendered: Rendered } | undefined;
  return async () => {
    if (last !== undefined && path === '-') return last.rendered;
    const files = await readLocalFiles(path, () => readAll(process.stdin));
    const content = JSON.stringify(files.map((file) => [file.path, Buffer.from(file.content).toString('base64')]));
    if (last?.content !== content) last = { content, rendered: renderPlain(files) };
    return last.rendered;
  };
}

async function readAll(stream: NodeJS.ReadStream): Promise<Uint8Array> {
  return Buffer.concat((await Array.fromAsync(stream)) as Buffer[]);
}

import { createCluster, loadKubeconfig } from '../cluster/index.ts';
import { compareAll } from '../reconcile/index.ts';
import { readLocalFiles, renderPlain } from '../render/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode, exitCodeOfDiffs } from './exit-code.ts';
import { formatDiffs, type DiffFormat } from './format/index.ts';
import { createProgress } from './progress.ts';

export interface DiffFlags {
  readonly filename: string;
  readonly output: DiffFormat;
  readonly namespace?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly color: 'auto' | 'always' | 'never';
}

/** The path of the agent once, on local files and without writing anything. */
export async function runDiff(flags: DiffFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const interrupt = new AbortController();
  process.once('SIGINT', () => {
    interrupt.abort();
    process.exit(exitCode.interrupted);
  });
  const files = await readLocalFiles(flags.filename, () => readAll(process.stdin));
  const { documents, findings } = renderPlain(files);
  const connection = await loadKubeconfig({ file: flags.kubeconfig, context: flags.context });
  const cluster = createCluster(connection);
  const progress = createProgress(process.stderr);
  try {
    const namespace = flags.namespace ?? connection.namespace ?? 'default';
    const { compared } = await compareAll(documents, {
      cluster,
      namespace,
      salt: '',
      proveFrom: 10,
      signal: interrupt.signal,
      onProgress: progress.show,
    });
    progress.clear();
    const diffs = compared.map(({ diff }) => diff);
    finish(exitCodeOfDiffs(diffs, findings));
    const { data, remarks } = formatDiffs({ diffs, findings, context: connection.context }, flags.output, output.colors(flags.color));
    if (remarks !== '') process.stderr.write(remarks);
    output.write(data);
  } finally {
    progress.clear();
    await cluster.close();
  }
}

async function readAll(stream: NodeJS.ReadStream): Promise<Uint8Array> {
  return Buffer.concat((await Array.fromAsync(stream)) as Buffer[]);
}

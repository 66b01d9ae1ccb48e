import { Command, Option } from 'commander';
import { createCluster, loadKubeconfig } from '../cluster/index.ts';
import { compareAll } from '../reconcile/index.ts';
import { readLocalFiles, renderPlain } from '../render/index.ts';
import { exitCode, exitCodeOfDiffs } from './exit-code.ts';
import { formatDiffs, type DiffFormat } from './format/index.ts';
import type { Output } from './output.ts';
import { createProgress } from './progress.ts';
import { contextOption, kubeconfigOption, namespaceOption } from './shared-options.ts';

interface Dependencies {
  readonly process: NodeJS.Process;
  readonly output: Output;
  readonly finish: (code: number) => void;
}

interface DiffFlags {
  readonly filename: string;
  readonly output: DiffFormat;
  readonly namespace?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly color: 'auto' | 'always' | 'never';
}

const help = `
Read-only: manifests are tried on the API server as a dry run, Secrets are compared without sending them.

Examples:
  setpoint diff -f ./k8s                      what differs from the current cluster
  setpoint diff -f ./k8s -o unified           as a text diff
  kustomize build . | setpoint diff -f -      anything that prints manifests
  setpoint diff -f ./k8s -o json | jq .       for scripts

Exit codes:
  0  the cluster is as the manifests say
  1  it is not (drift, and nothing else)
  2  an error: wrong flag, no such path, no cluster
  3  some resources could not be compared
  4  some resources could not be compared, for want of rights`;

export function diffCommand({ process, output, finish }: Dependencies): Command {
  return new Command('diff')
    .description('compare manifests with the cluster; changes nothing')
    .requiredOption('-f, --filename <path>', 'a folder (read recursively), a file, or - for standard input')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['tree', 'unified', 'json', 'jsonpatch', 'name']).default('tree'))
    .addOption(namespaceOption())
    .addOption(contextOption())
    .addOption(kubeconfigOption())
    .addOption(new Option('--color <when>', 'colours in the output').choices(['auto', 'always', 'never']).default('auto'))
    .addHelpText('after', help)
    .action(async (flags: DiffFlags) => {
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
    });
}

async function readAll(stream: NodeJS.ReadStream): Promise<Uint8Array> {
  return Buffer.concat((await Array.fromAsync(stream)) as Buffer[]);
}

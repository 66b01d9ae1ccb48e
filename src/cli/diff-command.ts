import { Command, Option } from 'commander';
import type { DiffFlags } from './diff.ts';
import type { CliDependencies } from './dependencies.ts';
import { contextOption, kubeconfigOption, namespaceOption } from './shared-options.ts';

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

export function diffCommand(dependencies: CliDependencies): Command {
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
      // Imported when needed: --help does not wait for the Kubernetes libraries.
      const { runDiff } = await import('./diff.ts');
      await runDiff(flags, dependencies);
    });
}

import { Command, Option } from 'commander';
import { contextOption, kubeconfigOption } from './shared-options.ts';
import type { CliDependencies } from './dependencies.ts';
import type { ImportFlags } from './import.ts';

const help = `
Prints Applications of Setpoint as YAML, and on stderr what is otherwise about each: every field that is left out, written in other
words or means something else, by its path, and what to do. What could not be compared or synced as it is meant is not converted.
Nothing is written anywhere: of the cluster the Applications of Argo CD are read, with your own rights.

Examples:
  setpoint import argocd > applications.yaml         all of the cluster
  setpoint import argocd -n argocd                   those of a namespace
  setpoint import argocd -f ./argocd                 the files of a folder, and of those below it
  setpoint import argocd -f ./argocd --report        only what is otherwise
  setpoint import argocd -f ./argocd --report -o json

Exit codes:
  0  everything was converted; what is otherwise was named
  2  an error: wrong flag, no such path, nothing of Argo CD’s
  3  something was not converted: stderr says why
  4  not allowed`;

export function importCommand(dependencies: CliDependencies): Command {
  const argocd = new Command('argocd')
    .description('turn Applications of Argo CD into those of Setpoint, and say what differs')
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .option('-f, --filename <path>', 'a folder, a file, or - for standard input (default: the cluster)')
    .addOption(new Option('-n, --namespace <name>', 'of the cluster, only those in this namespace (default: all)').env('SETPOINT_NAMESPACE'))
    .option('--report', 'print what differs instead of the Applications', false)
    .addOption(new Option('-o, --output <format>', 'how to print (default: yaml, or text with --report)').choices(['yaml', 'json']))
    .addOption(contextOption())
    .addOption(kubeconfigOption())
    .addHelpText('after', help)
    .action(async (flags: ImportFlags) => {
      const { runImport } = await import('./import.ts');
      await runImport(flags, dependencies);
    });
  return new Command('import').description('take over from another tool').addCommand(argocd);
}

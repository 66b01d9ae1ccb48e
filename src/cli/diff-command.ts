import { Command, InvalidArgumentError, Option } from 'commander';
import type { DiffFlags } from './diff.ts';
import type { CliDependencies } from './dependencies.ts';
import { diffFormats } from './format/format-options.ts';
import { SetpointError } from '../model/index.ts';
import { renderOptions } from './render-options.ts';
import { contextOption, gitCredentialsOption, ignoreRulesOption, kubeconfigOption, namespaceOption, rootOption } from './shared-options.ts';

const help = `
Read-only: manifests are tried on the API server as a dry run, Secrets are compared without sending them.

Examples:
  setpoint diff -f ./k8s                              what differs from the current cluster
  setpoint diff -f ./k8s -o unified                   as a text diff
  setpoint diff -f ./k8s --resource 'Deployment/*'    of some of it
  setpoint diff -f ./k8s --watch                      and what changes from now on
  setpoint diff -f ./k8s --plan                       what a sync would do about it, in order
  setpoint diff web -n shop                           of an Application in the cluster, as its agent compares it
  setpoint diff web -n shop --plan                    what a sync of it would do
  setpoint diff -f ./k8s -o markdown                  as a comment on a pull request
  setpoint diff -f ./k8s -o json | jq .               for scripts
  setpoint diff -f ./charts/web --values prod.yaml    a Helm chart, or a Kustomize overlay
  helmfile template | setpoint diff -f -              anything that prints manifests
  KUBECTL_EXTERNAL_DIFF="dyff between" setpoint diff -f ./k8s

Exit codes:
  0  the cluster is as the manifests say
  1  it is not (drift, and nothing else)
  2  an error: wrong flag, no such path, no cluster
  3  some resources could not be compared
  4  some resources could not be compared, for want of rights`;

export function diffCommand(dependencies: CliDependencies): Command {
  const command = new Command('diff')
    .description('compare manifests with the cluster; changes nothing')
    .argument('[app]', 'an Application of the cluster, NAME or NAMESPACE/NAME, in place of -f')
    .option('-f, --filename <path>', 'a folder of manifests (read recursively), a chart, a kustomization, a file, or - for standard input')
    .addOption(new Option('-o, --output <format>', 'how to print (default: "tree")').choices(diffFormats))
    .addOption(
      new Option('--resource <pattern>', 'only these: [group/]Kind[/namespace]/name with wildcards; ! in front: not these (repeatable)')
        .argParser((pattern: string, earlier: readonly string[]) => [...earlier, pattern])
        .default([], 'all'),
    )
    .addOption(ignoreRulesOption())
    .option('--plan', 'what a sync by hand would do, wait for and refuse, step by step (as a table, or -o json)', false)
    .option('--prune', 'with --plan of an Application: as setpoint sync --prune', false)
    .option('-w, --watch', 'stay, and print what changes in the cluster or the files as it happens', false)
    .option('--show-managers', 'who holds each changed field, with all that the server recorded')
    .option('--show-ignored', 'in the tree also what is ignored and what the server would change by itself')
    .addOption(new Option('--context-lines <n>', 'unchanged lines around a change, in text diffs').argParser(wholeNumber).default(3))
    .addOption(new Option('--exit-code [boolean]', 'end with 1 where something differs; with =false that is 0 too').argParser(yesOrNo).default(true))
    .addOption(namespaceOption())
    .addOption(contextOption())
    .addOption(kubeconfigOption())
    .addOption(new Option('--color <when>', 'colours in the output').choices(['auto', 'always', 'never']).default('auto'))
    .addOption(rootOption())
    .addOption(gitCredentialsOption());
  for (const option of renderOptions()) command.addOption(option);
  return command.addHelpText('after', help).action(async (app: string | undefined, flags: DiffFlags) => {
    const { filename, plan } = flags;
    if (app !== undefined && filename !== undefined) throw new SetpointError('Usage', `either an Application or -f is wanted, got ${app} and -f ${filename}`);
    const ofFiles = [rootOption(), ...renderOptions()].filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli');
    if (app !== undefined && ofFiles.length > 0) throw new SetpointError('Usage', `the Application says how it is rendered: leave out ${ofFiles.map(({ long }) => long).join(' and ')}`);
    if (app === undefined && filename === undefined) throw new SetpointError('Usage', 'what is to be compared? An Application of the cluster (setpoint diff web -n shop), or manifests (setpoint diff -f ./k8s)');
    if (flags.prune && (app === undefined || !plan)) throw new SetpointError('Usage', '--prune wants an Application and --plan: it says what setpoint sync --prune would delete');
    // Imported when needed: --help does not wait for the Kubernetes libraries.
    if (plan) {
      const { runDiffPlan } = await import('./diff-plan.ts');
      return runDiffPlan({ ...flags, app }, dependencies);
    }
    if (app !== undefined) {
      const { runDiffApplication } = await import('./diff-application.ts');
      return runDiffApplication({ ...flags, app }, dependencies);
    }
    const { runDiff } = await import('./diff.ts');
    await runDiff({ ...flags, filename: filename ?? '' }, dependencies);
  });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It wants a whole number.');
  return Number(text);
}

function yesOrNo(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It wants true or false.');
  return text === 'true';
}

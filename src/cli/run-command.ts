import { Command, Option } from 'commander';
import type { CliDependencies } from './dependencies.ts';
import type { AgentFlags } from './run.ts';
import { renderOptions } from './render-options.ts';
import { contextOption, gitCredentialsOption, ignoreRulesOption, kubeconfigOption, namespaceOption } from './shared-options.ts';

const help = `
Without --mode auto nothing in the cluster is ever changed. Credentials of the repository come from
--git-credentials, or from SETPOINT_GIT_USERNAME and SETPOINT_GIT_PASSWORD or SETPOINT_GIT_TOKEN. Every flag has an environment variable: --repo is SETPOINT_REPO.

Examples:
  setpoint run --repo https://git.example.com/acme/fleet --path apps/web
  setpoint run --repo file:///srv/fleet --path apps/web --mode auto
  setpoint run --repo URL --path apps/web --notify-webhook https://hooks.example.com/x --redis redis://localhost:6379`;

export function runCommand(dependencies: CliDependencies): Command {
  const flag = (flags: string, description: string): Option => {
    const option = new Option(flags, description);
    return option.env(`SETPOINT_${option.attributeName().replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`);
  };
  const command = new Command('run')
    .description('watch one application: compare, report, and alert or sync')
    .addOption(flag('--repo <url>', 'Git repository: https://, http://, ssh://, file:// or a local path').makeOptionMandatory())
    .addOption(flag('--path <folder>', 'folder of manifests, a chart or a kustomization in the repository').default('', 'the whole repository'))
    .addOption(flag('--revision <name>', 'branch, tag or commit').default('main'))
    .addOption(flag('--mode <mode>', 'what to do about a difference').choices(['alert', 'auto']).default('alert'))
    .addOption(flag('--name <name>', 'name of the application (default: the last part of the path)'))
    .addOption(flag('--interval <duration>', 'time between two looks').default('60s'))
    .addOption(flag('--notify-webhook <url>', 'where alerts are posted, as CloudEvents'))
    .addOption(flag('--redis <url>', 'queue alerts in Redis (default: in memory)'))
    .addOption(flag('--state <folder>', 'where verdicts and alerts are kept (default: ~/.local/state/setpoint)'))
    .addOption(ignoreRulesOption())
    .addOption(namespaceOption())
    .addOption(contextOption())
    .addOption(kubeconfigOption())
    .addOption(flag('--log-format <format>', 'log lines on stderr (default: text on a terminal, else json)').choices(['text', 'json']))
    .addOption(flag('--log-level <level>', 'least level logged (default: warn on a terminal, else info)').choices(['debug', 'info', 'warn', 'error']))
    .addOption(gitCredentialsOption());
  for (const option of renderOptions()) command.addOption(option);
  return command.addHelpText('after', help).action(async (flags: AgentFlags) => {
    const { runAgent } = await import('./run.ts');
    await runAgent(flags, dependencies);
  });
}

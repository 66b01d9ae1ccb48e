import { Command, Option } from 'commander';
import { agentOptions, givenFlags } from './agent-options.ts';
import type { ConfigViewFlags } from './config.ts';
import type { CliDependencies } from './dependencies.ts';

const viewHelp = `
Takes the flags of "setpoint run", and shows what it would run with. Secrets are shown as ***.

Examples:
  setpoint config view --origin
  setpoint config view --config /etc/setpoint/config.yaml -o json

Exit codes:
  0  printed
  2  an error: wrong flag, a configuration that cannot be used`;

const checkHelp = `
Checks names, forms and units of one file, and what does not go together in it. Nothing that it names is opened.

Exit codes:
  0  the file can be used
  2  it cannot: each line says why`;

export function configCommand(dependencies: CliDependencies): Command {
  const view = subcommand('view', 'print the configuration that "setpoint run" would have');
  view.option('--origin', 'say where each value comes from').addOption(new Option('-o, --output <format>', 'how to print').choices(['yaml', 'json']).default('yaml'));
  for (const option of agentOptions()) view.addOption(option);
  view.addHelpText('after', viewHelp).action(async ({ origin, output }: ConfigViewFlags) => {
    const { viewConfig } = await import('./config.ts');
    await viewConfig({ flags: givenFlags(view), origin, output }, dependencies);
  });
  const check = subcommand('check', 'say what is wrong with a configuration file').argument('<file>', 'the file');
  check.addHelpText('after', checkHelp).action(async (file: string) => {
    const { checkConfig } = await import('./config.ts');
    await checkConfig(file, dependencies);
  });
  return new Command('config').description('show or check the configuration of the agent').addCommand(view).addCommand(check);
}

/** Commands below a command do not get these from it. */
function subcommand(name: string, description: string): Command {
  return new Command(name).description(description).exitOverride().showHelpAfterError('(see --help)');
}

import { Command, Option } from 'commander';
import { addAlertsPlaceOptions, type AlertsPlaceFlags } from './alerts-place.ts';
import type { CliDependencies } from './dependencies.ts';
import type { SilencesFlags } from './silences.ts';

const listHelp = `
Silences (setpoint mute --matcher) and muted applications (setpoint mute APP): until when, by whom, why, and how many alerts
that fire now each keeps quiet. Applications of all namespaces, unless -n names one.

Examples:
  setpoint silences
  setpoint silences -n shop -o json
  setpoint silences end sil-4be1c77d2a`;

const exitCodes = `
Exit codes:
  0  done
  2  an error: wrong flag, no such silence, no cluster
  4  not allowed`;

export function silencesCommand(dependencies: CliDependencies): Command {
  const list = addAlertsPlaceOptions(
    subcommand('list', 'what is muted or silenced, until when, by whom and why')
      .addOption(new Option('-o, --output <format>', 'how to print').choices(['table', 'json', 'yaml']).default('table'))
      .addOption(new Option('--color <when>', 'colours in the output').choices(['auto', 'always', 'never']).default('auto')),
  )
    .addHelpText('after', `${listHelp}\n${exitCodes}`)
    .action(async (flags: SilencesFlags) => {
      const { runSilences } = await import('./silences.ts');
      await runSilences(flags, dependencies);
    });
  const end = addAlertsPlaceOptions(subcommand('end', 'end a silence before its time').argument('<id>', 'of a silence'))
    .addHelpText('after', exitCodes)
    .action(async (id: string, flags: AlertsPlaceFlags) => {
      const { runSilencesEnd } = await import('./silences.ts');
      await runSilencesEnd({ ...flags, id }, dependencies);
    });
  return new Command('silences').description('list and end what keeps alerts quiet').addCommand(list, { isDefault: true }).addCommand(end);
}

/** Commands below a command do not get these from it. */
function subcommand(name: string, description: string): Command {
  return new Command(name).description(description).exitOverride().showHelpAfterError('(see --help)');
}

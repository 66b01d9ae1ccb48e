import { Command, Option } from 'commander';
import type { AlertsListFlags } from './alerts-list.ts';
import { addAlertsPlaceOptions } from './alerts-place.ts';
import type { AlertsReplayFlags } from './alerts-replay.ts';
import type { AlertsTestFlags } from './alerts-test.ts';
import type { CliDependencies } from './dependencies.ts';

const listHelp = `
What fires, waits to be told or could not be told; how far each got with each destination. What a mute window keeps quiet
is shown as firing: windows are in the configuration of the agent.

Examples:
  setpoint alerts list -A
  setpoint alerts list web -n shop --all -o wide
  setpoint alerts list -A --dead -o name | xargs -n1 setpoint alerts replay -A`;

const replayHelp = `
The agent sends it under the same id as before. Of an alert all of its dead letters are sent again.

Examples:
  setpoint alerts list --dead
  setpoint alerts replay evt_01JC8Z9K7Q0000000000000000`;

const testHelp = `
Sends from here, with the configuration and the secrets of this machine: the agent may be somewhere else. Without a name
the destinations are listed.

Examples:
  setpoint alerts test --config /etc/setpoint/config.yaml
  setpoint alerts test team-slack

Exit codes:
  0  it was taken
  2  it was not, or an error: wrong flag, no such destination`;

const exitCodes = `
Exit codes:
  0  done
  2  an error: wrong flag, no such application or dead letter, no cluster
  4  not allowed`;

export function alertsCommand(dependencies: CliDependencies): Command {
  const list = addAlertsPlaceOptions(
    subcommand('list', 'what fires, what is muted, and who was told')
      .argument('[app]', 'an application: NAME or NAMESPACE/NAME')
      .option('-A, --all-namespaces', 'of all namespaces', false)
      .addOption(new Option('--firing', 'only what fires').conflicts(['dead', 'all']))
      .addOption(new Option('--dead', 'only what could not be told').conflicts(['firing', 'all']))
      .addOption(new Option('--all', 'what is over, too, as long as it is kept').conflicts(['firing', 'dead']))
      .addOption(new Option('-o, --output <format>', 'how to print').choices(['table', 'wide', 'json', 'yaml', 'name']).default('table'))
      .option('--no-headers', 'the rows of the table alone')
      .addOption(new Option('--color <when>', 'colours in the output').choices(['auto', 'always', 'never']).default('auto')),
  )
    .addHelpText('after', `${listHelp}\n${exitCodes}`)
    .action(async (app: string | undefined, flags: AlertsListFlags) => {
      const { runAlertsList } = await import('./alerts-list.ts');
      await runAlertsList({ ...flags, app }, dependencies);
    });
  const replay = addAlertsPlaceOptions(
    subcommand('replay', 'send a dead letter again').argument('<id>', 'of a notification, or of an alert').option('-A, --all-namespaces', 'look for it in all namespaces', false),
  )
    .addHelpText('after', `${replayHelp}\n${exitCodes}`)
    .action(async (id: string, flags: AlertsReplayFlags) => {
      const { runAlertsReplay } = await import('./alerts-replay.ts');
      await runAlertsReplay({ ...flags, id }, dependencies);
    });
  const test = subcommand('test', 'send a test message to a destination, from here')
    .argument('[dest]', 'the name of a destination')
    .addOption(new Option('--config <file>', 'configuration file (default: ./.setpoint.yaml, and ~/.config/setpoint/config.yaml)').env('SETPOINT_CONFIG'))
    .addHelpText('after', testHelp)
    .action(async (dest: string | undefined, flags: AlertsTestFlags) => {
      const { runAlertsTest } = await import('./alerts-test.ts');
      await runAlertsTest({ ...flags, dest }, dependencies);
    });
  return new Command('alerts').description('list alerts, send dead letters again, test destinations').addCommand(list, { isDefault: true }).addCommand(replay).addCommand(test);
}

/** Commands below a command do not get these from it. */
function subcommand(name: string, description: string): Command {
  return new Command(name).description(description).exitOverride().showHelpAfterError('(see --help)');
}

import { Command, Option } from 'commander';
import { addAlertsPlaceOptions } from './alerts-place.ts';
import type { CliDependencies } from './dependencies.ts';
import type { MuteFlags } from './mute.ts';
import { repeatable } from './sync-options.ts';

const help = `
Nothing of it is sent meanwhile. It is recorded and shown all the same, and what still fires at the end is told then.
Every --matcher must hold; of a key that comes again any value: cause, status, app, namespace, kind, field, rule (each with
* and ?, but for cause, status and rule), and label.NAME.

Examples:
  setpoint mute web -n shop --for 1h --reason "incident 4711"
  setpoint mute web -n shop --off
  setpoint mute --matcher namespace=shop --matcher kind=Deployment --for 2h --reason "load test"
  setpoint mute --matcher app='web-*' --matcher field=spec.replicas --until 2026-01-31T18:00:00Z --reason "scaled by hand"
  setpoint silences

Exit codes:
  0  done
  2  an error: wrong flag, no such application, no cluster
  4  not allowed`;

export function muteCommand(dependencies: CliDependencies): Command {
  const command = new Command('mute')
    .description('send no alerts of an application, or of what matches, for a while')
    .argument('[app]', 'an application: NAME or NAMESPACE/NAME')
    .addOption(repeatable(new Option('--matcher <key=value>', 'instead of an application: what is muted (repeatable)')))
    .addOption(new Option('--until <time>', 'the end, such as 2026-01-31T18:00:00Z'))
    .addOption(new Option('--for <duration>', 'how long, such as 30m or 12h').conflicts('until'))
    .option('--reason <text>', 'why, for those who wonder; required')
    .addOption(new Option('--off', 'end the mute of an application').conflicts(['until', 'for', 'reason']));
  return addAlertsPlaceOptions(command)
    .addHelpText('after', help)
    .action(async (app: string | undefined, flags: MuteFlags) => {
      const { runMute } = await import('./mute.ts');
      await runMute({ ...flags, app }, dependencies);
    });
}

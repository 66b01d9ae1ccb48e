import { Command } from 'commander';
import type { CliDependencies } from './dependencies.ts';
import type { RefreshFlags } from './refresh.ts';
import { addPlaceOptions } from './status-place.ts';

const help = `
The agent looks when something changes; this is for who does not want to wait for the next question to Git.

Examples:
  setpoint refresh web -n shop
  setpoint refresh web -n shop --wait --timeout 1m

Exit codes:
  0    asked for; with --wait: looked at
  2    an error: wrong flag, no such application, no cluster
  4    not allowed
  5    with --wait: not looked at in time
  130  interrupted`;

export function refreshCommand(dependencies: CliDependencies): Command {
  const command = new Command('refresh')
    .description('have the agent look at an application now')
    .argument('<app>', 'an application: NAME or NAMESPACE/NAME')
    .option('--wait', 'end when it has looked', false)
    .option('--timeout <duration>', 'wait no longer than this', '5m');
  return addPlaceOptions(command)
    .addHelpText('after', help)
    .action(async (app: string, flags: RefreshFlags) => {
      const { runRefresh } = await import('./refresh.ts');
      await runRefresh({ ...flags, app }, dependencies);
    });
}

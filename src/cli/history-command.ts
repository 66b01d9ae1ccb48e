import { Command, Option } from 'commander';
import type { CliDependencies } from './dependencies.ts';
import type { HistoryFlags } from './history.ts';
import { addPlaceOptions } from './status-place.ts';

const help = `
What differed from Git, from when to when and by whom, and what was applied: newest first. Kept are up to 100 resources that
still differ (one entry counts the rest), the last 20 differences that ended (up to 100 of the last hour; at most 3 deploys), and the last 10 syncs.

Examples:
  setpoint history web -n shop
  setpoint history web -n shop -o json | jq '.items[] | select(.type == "drift")'

Exit codes:
  0  done
  2  an error: wrong flag, no such application, no cluster
  4  not allowed`;

export function historyCommand(dependencies: CliDependencies): Command {
  const command = new Command('history')
    .description('when an application drifted, for how long, by whom, and what was done')
    .argument('<app>', 'an application: NAME or NAMESPACE/NAME')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['table', 'json', 'yaml']).default('table'))
    .addOption(new Option('--color <when>', 'colours in the output').choices(['auto', 'always', 'never']).default('auto'));
  return addPlaceOptions(command)
    .addHelpText('after', help)
    .action(async (app: string, flags: HistoryFlags) => {
      const { runHistory } = await import('./history.ts');
      await runHistory({ ...flags, app }, dependencies);
    });
}

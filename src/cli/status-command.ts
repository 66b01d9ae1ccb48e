import { Command, Option } from 'commander';
import type { CliDependencies } from './dependencies.ts';
import { addPlaceOptions } from './status-place.ts';
import type { StatusFlags } from './status.ts';

const help = `
Reads the Applications of the cluster with your own rights, or with --state what an agent without Applications keeps.
What no agent has vouched for in three intervals is Unknown, whatever it was. "setpoint get" and "setpoint ls" are the same.

Examples:
  setpoint status -A                      all applications
  setpoint status web -n shop             one, with all that is known of it
  setpoint status -l team=payments -w     some, and what changes from now on
  setpoint status -A --exit-code -o name  for scripts
  setpoint status --state                 those of setpoint run --repo or setpoint run -f

Exit codes:
  0    done; with --exit-code: all are Synced
  1    with --exit-code: some are OutOfSync
  2    an error: wrong flag, no such application, no cluster
  3    with --exit-code: none is OutOfSync, and some are Unknown, or there are none at all
  4    not allowed
  130  interrupted`;

export function statusCommand(dependencies: CliDependencies): Command {
  const command = new Command('status')
    .aliases(['get', 'ls'])
    .description('what is Synced, OutOfSync or Unknown, since when and by whom')
    .argument('[app]', 'an application: NAME or NAMESPACE/NAME')
    .option('-A, --all-namespaces', 'of all namespaces', false)
    .addOption(new Option('-l, --selector <labels>', 'only those with these labels, as kubectl -l').env('SETPOINT_SELECTOR'))
    .addOption(new Option('-o, --output <format>', 'how to print (default: a table, or the details of one)').choices(['table', 'wide', 'json', 'yaml', 'name']))
    .option('-w, --watch', 'stay, and print what changes as it happens', false)
    .option('--exit-code', 'tell the verdict by the exit code', false)
    .option('--no-headers', 'the rows of the table alone')
    .addOption(new Option('--color <when>', 'colours in the output').choices(['auto', 'always', 'never']).default('auto'));
  return addPlaceOptions(command)
    .addHelpText('after', help)
    .action(async (app: string | undefined, flags: StatusFlags) => {
      const { runStatus } = await import('./status.ts');
      await runStatus({ ...flags, app }, dependencies);
    });
}

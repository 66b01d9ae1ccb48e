import { Command } from 'commander';
import type { CliDependencies } from './dependencies.ts';
import { addPlaceOptions } from './status-place.ts';
import type { TerminateFlags } from './terminate.ts';

const help = `
What was applied so far stays. An application that applies new commits by itself does not begin this sync again: it waits for
another commit, another spec, or setpoint sync.

Examples:
  setpoint terminate web -n shop

Exit codes:
  0    ended, or there was none
  2    an error: wrong flag, no such application, no cluster
  4    not allowed
  5    not ended in time
  130  interrupted`;

export function terminateCommand(dependencies: CliDependencies): Command {
  const command = new Command('terminate')
    .description('end the sync of an application that is under way')
    .argument('<app>', 'an application: NAME or NAMESPACE/NAME')
    .option('--timeout <duration>', 'wait no longer than this for the agent', '1m');
  return addPlaceOptions(command)
    .addHelpText('after', help)
    .action(async (app: string, flags: TerminateFlags) => {
      const { runTerminate } = await import('./terminate.ts');
      await runTerminate({ ...flags, app }, dependencies);
    });
}

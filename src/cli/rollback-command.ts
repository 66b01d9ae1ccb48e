import { Command } from 'commander';
import type { CliDependencies } from './dependencies.ts';
import type { RollbackFlags } from './rollback.ts';
import { addPlaceOptions } from './status-place.ts';
import { addFollowOptions, approveOption, exitCodeHelp } from './sync-options.ts';

const help = `
A sync to the commit of an earlier one. Git is not changed: an application that applies new commits by itself would go
forward again at once, so for such a one it is refused.

Examples:
  setpoint history web -n shop -o json | jq '.items[] | select(.type == "sync") | {id, revision}'
  setpoint rollback web -n shop --wait      to the last sync that succeeded before the present one
  setpoint rollback web -n shop 7           to that of sync 7

${exitCodeHelp({ done: 'begun; with --wait: done, and all is healthy', error: 'wrong flag, no such sync, refused, or the sync failed' })}`;

export function rollbackCommand(dependencies: CliDependencies): Command {
  const command = new Command('rollback')
    .description('go back to what an application was synced to before')
    .argument('<app>', 'an application: NAME or NAMESPACE/NAME')
    .argument('[sync]', 'its number in the history (default: the last that succeeded before the present one)')
    .option('--prune', 'delete what that commit does not have, this once', false)
    .addOption(approveOption());
  return addPlaceOptions(addFollowOptions(command))
    .addHelpText('after', help)
    .action(async (app: string, id: string | undefined, flags: RollbackFlags) => {
      const { runRollback } = await import('./rollback.ts');
      await runRollback({ ...flags, app, id }, dependencies);
    });
}

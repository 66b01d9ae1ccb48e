import { Command, Option } from 'commander';
import type { CliDependencies } from './dependencies.ts';
import { gitCredentialsOption } from './shared-options.ts';
import { addPlaceOptions } from './status-place.ts';
import { addFollowOptions, approveOption, exitCodeHelp, repeatable } from './sync-options.ts';
import type { SyncFlags } from './sync.ts';

const help = `
Asks the agent for it, by an annotation on the Application; ends when it has begun, or was refused and why. With --dry-run
the plan is made here, from Git and the cluster with your own rights, and nothing is asked for.

Examples:
  setpoint sync web -n shop --dry-run                    what would be done, in order, and what would be refused
  setpoint sync web -n shop --wait                       do it, and stay until all is healthy
  setpoint sync web -n shop --approve plan-4be1c77d2a90f3e6   exactly that plan, or nothing
  setpoint sync web -n shop --resource Deployment/web    only this
  setpoint sync web -n shop --prune                      delete what Git no longer has, this once
  setpoint sync web -n shop --wait -o json | jq .outcome

${exitCodeHelp({ done: 'begun; with --wait: done, and all is healthy; with --dry-run: printed', error: 'wrong flag, no such application, refused by the agent, or the sync failed' })}`;

export function syncCommand(dependencies: CliDependencies): Command {
  const command = new Command('sync')
    .description('bring the cluster to what Git says of an application')
    .argument('<app>', 'an application: NAME or NAMESPACE/NAME')
    .option('--dry-run', 'print the plan, and ask for nothing', false)
    .addOption(repeatable(new Option('--resource <pattern>', 'only these: [group/]Kind[/namespace]/name with wildcards; ! in front: not these (repeatable)')))
    .option('--prune', 'delete what Git no longer has, this once', false)
    .option('--revision <commit>', 'not what the reference says: this commit, by its whole id')
    .addOption(approveOption());
  addFollowOptions(command)
    .addOption(new Option('--color <when>', 'colours in the output').choices(['auto', 'always', 'never']).default('auto'))
    .addOption(gitCredentialsOption());
  return addPlaceOptions(command)
    .addHelpText('after', help)
    .action(async (app: string, flags: SyncFlags) => {
      const { runSync } = await import('./sync.ts');
      await runSync({ ...flags, app }, dependencies);
    });
}

import { Command, Option } from 'commander';
import type { CliDependencies } from './dependencies.ts';
import type { PauseFlags } from './pause.ts';
import { addPlaceOptions, type PlaceFlags } from './status-place.ts';

const pauseHelp = `
Nothing is changed in the cluster meanwhile, neither by a deploy nor by self-heal. Looking, and telling of drift, goes on.

Examples:
  setpoint pause web -n shop --for 1h --reason "incident 4711"
  setpoint pause web -n shop --until 2026-01-31T18:00:00Z
  setpoint resume web -n shop

Exit codes:
  0  done
  2  an error: wrong flag, no such application, no cluster
  4  not allowed`;

const resumeHelp = `
Examples:
  setpoint resume web -n shop

Exit codes:
  0  done, or it was not paused
  2  an error: wrong flag, no such application, no cluster
  4  not allowed`;

export function pauseCommand(dependencies: CliDependencies): Command {
  const command = new Command('pause')
    .description('let nothing be changed for an application, for a while or until it is resumed')
    .argument('<app>', 'an application: NAME or NAMESPACE/NAME')
    .addOption(new Option('--until <time>', 'the end, such as 2026-01-31T18:00:00Z'))
    .addOption(new Option('--for <duration>', 'how long, such as 30m or 12h').conflicts('until'))
    .option('--reason <text>', 'why, for those who wonder');
  return addPlaceOptions(command)
    .addHelpText('after', pauseHelp)
    .action(async (app: string, flags: PauseFlags) => {
      const { runPause } = await import('./pause.ts');
      await runPause({ ...flags, app }, dependencies);
    });
}

export function resumeCommand(dependencies: CliDependencies): Command {
  const command = new Command('resume').description('end the pause of an application').argument('<app>', 'an application: NAME or NAMESPACE/NAME');
  return addPlaceOptions(command)
    .addHelpText('after', resumeHelp)
    .action(async (app: string, flags: PlaceFlags) => {
      const { runResume } = await import('./pause.ts');
      await runResume({ ...flags, app }, dependencies);
    });
}

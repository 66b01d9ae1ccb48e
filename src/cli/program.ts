import { Command } from 'commander';
import { alertsCommand } from './alerts-command.ts';
import { completionCommand } from './completion-command.ts';
import { configCommand } from './config-command.ts';
import type { CliDependencies } from './dependencies.ts';
import { diffCommand } from './diff-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { heedVariables } from './heed-variables.ts';
import { historyCommand } from './history-command.ts';
import { importCommand } from './import-command.ts';
import { muteCommand } from './mute-command.ts';
import { pauseCommand, resumeCommand } from './pause-command.ts';
import { refreshCommand } from './refresh-command.ts';
import { refuseEmpty } from './refuse-empty.ts';
import { renderCommand } from './render-command.ts';
import { rollbackCommand } from './rollback-command.ts';
import { runCommand } from './run-command.ts';
import { silencesCommand } from './silences-command.ts';
import { statusCommand } from './status-command.ts';
import { syncCommand } from './sync-command.ts';
import { terminateCommand } from './terminate-command.ts';
import { version } from './version.ts';

const commands: readonly ((dependencies: CliDependencies) => Command)[] = [
  ...[diffCommand, statusCommand, historyCommand, syncCommand, rollbackCommand, terminateCommand],
  ...[refreshCommand, pauseCommand, resumeCommand],
  ...[alertsCommand, muteCommand, silencesCommand],
  ...[renderCommand, runCommand, configCommand, doctorCommand, importCommand, completionCommand],
];

const help = `
"setpoint COMMAND --help" has the flags of a command, examples, and what its exit codes mean. Without a command this is printed,
and the exit code is 2.`;

/** All commands, not run yet. */
export function createProgram(dependencies: CliDependencies): Command {
  const program = new Command('setpoint')
    .description('What drifted from Git, since when, and by whom.')
    .version(version())
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', help)
    .hook('preAction', (_, command) => refuseEmpty(command));
  for (const command of commands.map((make) => make(dependencies))) {
    program.addCommand(command.exitOverride().showHelpAfterError('(see --help)'));
  }
  heedVariables(program, dependencies.process.env);
  return program;
}

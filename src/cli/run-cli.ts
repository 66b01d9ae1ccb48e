import { Command, CommanderError } from 'commander';
import { toSetpointError } from '../model/index.ts';
import { alertsCommand } from './alerts-command.ts';
import { completionCommand } from './completion-command.ts';
import { configCommand } from './config-command.ts';
import type { CliDependencies } from './dependencies.ts';
import { diffCommand } from './diff-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { exitCode, exitCodeOfError } from './exit-code.ts';
import { oneLine } from './format/printable.ts';
import { historyCommand } from './history-command.ts';
import { muteCommand } from './mute-command.ts';
import { importCommand } from './import-command.ts';
import { createOutput } from './output.ts';
import { pauseCommand, resumeCommand } from './pause-command.ts';
import { refreshCommand } from './refresh-command.ts';
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

// Not in the help: shells ask it.
const completeVerb = '__complete';

/** Never lets Node's own exit code 1 through: here 1 means drift. */
export async function runCli(process: NodeJS.Process): Promise<void> {
  const output = createOutput(process);
  const fail = (error: unknown): never => {
    process.stderr.write(`setpoint: ${oneLine(toSetpointError(error).message)}\n`);
    process.exit(exitCode.error);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);

  const program = new Command('setpoint')
    .description('What drifted from Git, since when, and by whom.')
    .version(version())
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .configureHelp({ showGlobalOptions: true });
  const finish = (code: number): void => void (process.exitCode = code);
  for (const command of commands.map((make) => make({ process, output, finish }))) {
    program.addCommand(command.exitOverride().showHelpAfterError('(see --help)'));
  }
  try {
    const [, , verb, ...words] = process.argv;
    if (verb === completeVerb) {
      const { complete } = await import('./completion.ts');
      return await complete(program, words, { env: process.env, write: output.write, cwd: process.cwd() });
    }
    await program.parseAsync(process.argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      finish(error.exitCode === 0 ? exitCode.done : exitCode.error);
    } else {
      const known = toSetpointError(error);
      process.stderr.write(`setpoint: ${oneLine(known.message)}\n`);
      finish(exitCodeOfError(known.code));
    }
  }
}

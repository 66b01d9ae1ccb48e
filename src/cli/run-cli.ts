import { Command, CommanderError } from 'commander';
import { toSetpointError } from '../model/index.ts';
import { diffCommand } from './diff-command.ts';
import { exitCode, exitCodeOfError } from './exit-code.ts';
import { oneLine } from './format/printable.ts';
import { createOutput } from './output.ts';
import { renderCommand } from './render-command.ts';
import { runCommand } from './run-command.ts';
import { version } from './version.ts';

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
  for (const command of [diffCommand, renderCommand, runCommand].map((make) => make({ process, output, finish }))) {
    program.addCommand(command.exitOverride().showHelpAfterError('(see --help)'));
  }
  try {
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

import { CommanderError } from 'commander';
import { toSetpointError } from '../model/index.ts';
import { exitCode, exitCodeOfError } from './exit-code.ts';
import { oneLine } from './format/printable.ts';
import { createOutput } from './output.ts';
import { createProgram } from './program.ts';

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

  const finish = (code: number): void => void (process.exitCode = code);
  const program = createProgram({ process, output, finish });
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

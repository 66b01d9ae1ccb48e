// Runs the commands of the story exactly as they are shown: anyone in the same folder can type them again.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { showCommand } from './terminal.ts';

export interface Commands {
  /** Shows a command and what it prints, and fails unless it ends with the expected code. */
  show(line: string, expected?: number): Promise<void>;
  /** The output of a command that is not part of the story. */
  read(line: string): Promise<string>;
}

interface CommandsOptions {
  /** Where they are run; its `bin` holds setpoint and kubectl. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

export function createCommands({ folder, env, signal }: CommandsOptions): Commands {
  const start = (line: string, stdout: 'inherit' | 'pipe'): { readonly output: Promise<string>; readonly code: Promise<number | null> } => {
    const [name = '', ...args] = line.split(' ');
    const child = spawn(join(folder, 'bin', name), args, { cwd: folder, env, signal, killSignal: 'SIGTERM', stdio: ['ignore', stdout, stdout === 'pipe' ? 'pipe' : 'inherit'] });
    const code = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    const output = Promise.all([child.stdout, child.stderr].map(async (stream) => (stream === null ? '' : text(stream))));
    return { code, output: output.then(([out = '', errors = '']) => (out === '' ? errors : out)) };
  };
  return {
    async show(line, expected = 0) {
      showCommand(line);
      const code = await start(line, 'inherit').code;
      if (code !== expected) throw new Error(`"${line}" ended with ${code}, ${expected} was expected`);
    },
    async read(line) {
      const { code, output } = start(line, 'pipe');
      const [ended, said] = await Promise.all([code, output]);
      if (ended !== 0) throw new Error(`"${line}" ended with ${ended}: ${said.trim()}`);
      return said;
    },
  };
}

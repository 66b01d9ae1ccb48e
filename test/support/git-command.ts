import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface GitCommandOptions {
  readonly cwd: string;
  /** The moment of commits and tags, in seconds since 1970. */
  readonly time?: number;
}

/** The git command line, the same on every machine: nobody's configuration, one author, no prompts. Gives its output. */
export async function git(args: readonly string[], { cwd, time = 1_700_000_000 }: GitCommandOptions): Promise<string> {
  const { stdout } = await run('git', [...args], { cwd, env: gitEnvironment(time), maxBuffer: 64 * 2 ** 20 });
  return stdout.trimEnd();
}

export function gitEnvironment(time: number): NodeJS.ProcessEnv {
  const who = { NAME: 'Setpoint Test', EMAIL: 'test@setpoint.dev', DATE: `${time} +0000` };
  const roles = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(who).map(([what, value]) => [`GIT_${role}_${what}`, value]),
  );
  return {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    ...Object.fromEntries(roles),
  };
}

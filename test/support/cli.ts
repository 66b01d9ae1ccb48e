// The product as a user runs it: a child process, its exit code and what it prints.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { inject } from 'vitest';
import { waitFor } from './wait-for.ts';

// Not the user’s own: what a test leaves there would be there for the next real run.
const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'setpoint-test');
// As it is installed, where the test run has made it: it starts in half the time. Elsewhere from its sources.
const setpoint = (inject('program') as string | undefined) ?? join(import.meta.dirname, '..', '..', 'bin', 'setpoint.js');

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CliOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export async function runCli(args: readonly string[], { input = '', env = {} }: CliOptions = {}): Promise<CliResult> {
  const { child, output } = start(args, env);
  child.stdin?.on('error', () => undefined).end(input);
  const code = await ended(child);
  return { code, stdout: output.stdout, stderr: output.stderr };
}

export interface RunningCli extends AsyncDisposable {
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Waits until stdout, from `from` on, matches; gives the whole match. */
  saw(pattern: RegExp, from?: number): Promise<string>;
  /** The exit code, once it ends by itself. */
  readonly ended: Promise<number | null>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Without waiting for anything: SIGSTOP, SIGCONT. */
  signal(name: NodeJS.Signals): void;
}

export function startCli(args: readonly string[], { env = {} }: CliOptions = {}): RunningCli {
  const { child, output } = start(args, env);
  const end = ended(child);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    return end;
  };
  return {
    output,
    async saw(pattern, from = 0) {
      return waitFor(() => pattern.exec(output.stdout.slice(from))?.[0], { what: `${pattern} on stdout` }).catch((error: Error) => {
        throw new Error(`${error.message}\nstdout:\n${output.stdout}\nstderr:\n${output.stderr}`, { cause: error });
      });
    },
    ended: end,
    stop,
    signal: (name) => void child.kill(name),
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
    },
  };
}

function start(args: readonly string[], env: Readonly<Record<string, string>>): { child: ChildProcess; output: { stdout: string; stderr: string } } {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:SETPOINT_|KUBECONFIG|KUBECTL_EXTERNAL_DIFF|FORCE_COLOR)/.test(name)));
  const child = spawn(process.execPath, [setpoint, ...args], { stdio: 'pipe', env: { ...clean, NO_COLOR: '1', XDG_CACHE_HOME: cache, XDG_CONFIG_HOME: cache, ...env } });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return { child, output };
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
}

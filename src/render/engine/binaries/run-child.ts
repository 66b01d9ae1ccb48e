import { spawn, type ChildProcess } from 'node:child_process';

export interface Command {
  readonly path: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ChildLimits {
  readonly deadlineMs: number;
  readonly graceMs: number;
  readonly outputBytes: number;
}

export type ChildOutcome =
  | { readonly type: 'ended'; readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly output: string; readonly complaints: string }
  | { readonly type: 'timeout' }
  | { readonly type: 'output' }
  | { readonly type: 'not-started'; readonly cause: NodeJS.ErrnoException };

/** The first words of a failure say more than the last, and a crash of a Go program writes megabytes. */
const complaintBytes = 64 * 1024;

/** Runs a program in a process group of its own, to the end of all of it. Throws the signal's reason when that is aborted. */
export async function runChild(command: Command, limits: ChildLimits, signal: AbortSignal): Promise<ChildOutcome> {
  signal.throwIfAborted();
  const child = start(command);
  if (child instanceof Error) return { type: 'not-started', cause: child };
  const output = collect(child.stdout, limits.outputBytes);
  const complaints = collect(child.stderr, complaintBytes);
  const group = endGroup(child, limits.graceMs);
  let stopped: 'timeout' | 'output' | undefined;
  const stop = (why: typeof stopped): void => {
    stopped ??= why;
    group.end();
  };
  const onAbort = (): void => stop(undefined);
  const timer = setTimeout(() => stop('timeout'), limits.deadlineMs);
  signal.addEventListener('abort', onAbort);
  output.onFull(() => stop('output'));
  try {
    const end = await ending(child);
    signal.throwIfAborted();
    if (stopped !== undefined) return { type: stopped };
    if ('cause' in end) return { type: 'not-started', cause: end.cause };
    return { type: 'ended', ...end, output: output.text(), complaints: complaints.text() };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    group.clear();
  }
}

function start({ path, args, cwd, env }: Command): ChildProcess | NodeJS.ErrnoException {
  try {
    return spawn(path, args, { cwd, env, detached: true, shell: false, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

type Ending = { readonly code: number | null; readonly signal: NodeJS.Signals | null } | { readonly cause: NodeJS.ErrnoException };

function ending(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('error', (cause) => resolve({ cause }));
    // Whoever it left behind would hold the pipes open, and the files.
    child.once('exit', () => kill(child, 'SIGKILL'));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

function endGroup(child: ChildProcess, graceMs: number): { end(): void; clear(): void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    end: () => {
      if (timer !== undefined) return;
      kill(child, 'SIGTERM');
      timer = setTimeout(() => {
        kill(child, 'SIGKILL');
        // One that left the group may hold the pipes for as long as it likes.
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, graceMs);
    },
    clear: () => clearTimeout(timer),
  };
}

function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It is gone already, or is not ours to end; nobody could do more about either.
  }
}

interface Collected {
  text(): string;
  onFull(listener: () => void): void;
}

/** Keeps the first bytes and drops the rest, so that a child that writes without end never waits for us. */
function collect(stream: NodeJS.ReadableStream | null, limit: number): Collected {
  const pieces: Buffer[] = [];
  let size = 0;
  let full = (): void => undefined;
  stream?.on('data', (piece: Buffer) => {
    if (size < limit) pieces.push(piece.subarray(0, limit - size));
    size += piece.length;
    if (size > limit) full();
  });
  return {
    text: () => Buffer.concat(pieces).toString('utf8'),
    onFull: (listener) => {
      full = listener;
    },
  };
}

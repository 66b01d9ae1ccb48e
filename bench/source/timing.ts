import { spawn } from 'node:child_process';
import { gitEnvironment } from '../../test/support/git-command.ts';
import { withStall, worstOf, type Stall } from './stall.ts';

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) throw new Error('nothing was measured');
  return (low + high) / 2;
}

export function inMs(value: number): string {
  return `${value.toFixed(value < 20 ? 1 : 0)} ms`;
}

interface Both {
  readonly runs: number;
  readonly signal: AbortSignal;
  /** Before each pair. */
  readonly prepare?: () => Promise<unknown>;
  readonly ours: (run: number) => Promise<number>;
  readonly theirs: (run: number) => Promise<number>;
}

export interface Pair {
  readonly ours: number;
  readonly theirs: number;
  readonly ratio: number;
  /** Of ours, the first round too. */
  readonly stall: Stall;
}

/** Medians of both, measured in turns, the one first and then the other: what else the machine does hits both. A first round does not count. */
export async function measureBoth({ runs, signal, prepare, ours, theirs }: Both): Promise<Pair> {
  const times: { readonly ours: number; readonly theirs: number }[] = [];
  const stalls: Stall[] = [];
  const measureOurs = async (run: number): Promise<number> => {
    const { result, stall } = await withStall(() => ours(run));
    stalls.push(stall);
    return result;
  };
  for (let run = 0; run <= runs; run++) {
    signal.throwIfAborted();
    await prepare?.();
    const first = run % 2 === 0 ? undefined : await theirs(run);
    const own = await measureOurs(run);
    times.push({ ours: own, theirs: first ?? (await theirs(run)) });
  }
  const counted = times.slice(1);
  const [own, other] = [median(counted.map((each) => each.ours)), median(counted.map((each) => each.theirs))];
  return { ours: own, theirs: other, ratio: own / other, stall: worstOf(stalls) };
}

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** How long a command takes and how much it prints. */
export async function runCommand({ program, args, cwd, env }: Command): Promise<{ readonly ms: number; readonly bytes: number }> {
  const started = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const complaints: string[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length));
  child.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`${args.slice(0, 3).join(' ')} ended with ${code}: ${complaints.join('').trim()}`);
  return { ms: performance.now() - started, bytes };
}

/** The git command line at its best: it packs what it fetched instead of writing files, tidies nothing, and reads nobody's configuration. */
export function runGit(args: readonly string[], cwd: string): Promise<{ readonly ms: number; readonly bytes: number }> {
  return runCommand({ program: 'git', args: ['-c', 'gc.auto=0', '-c', 'fetch.unpackLimit=1', ...args], cwd, env: gitEnvironment(0) });
}

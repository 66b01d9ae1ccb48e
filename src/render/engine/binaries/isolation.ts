import { findBinary } from './find-binary.ts';
import type { BinaryLimits } from './limits.ts';
import { runChild } from './run-child.ts';

export interface Isolation {
  /** The child has no network, not even the loopback of this machine. */
  readonly network: boolean;
  /** The kernel bounds the child's memory, processor time, files and open files. */
  readonly limits: boolean;
}

export interface Wrapper {
  readonly isolation: Isolation;
  /** What stands in front of the command: each program replaces itself by the next. */
  readonly prefix: readonly string[];
}

/** Generous: they only have to be shorter than for ever. */
const probe = { deadlineMs: 10_000, graceMs: 1_000, outputBytes: 64 * 1024 };

/** Finds out by trying: a pod may have the programs and not the right to use them. */
export async function detectIsolation(limits: BinaryLimits, folders: readonly string[], signal: AbortSignal): Promise<Wrapper> {
  const works = async (prefix: readonly string[]): Promise<boolean> => {
    const [path = '', ...args] = prefix;
    const outcome = await runChild({ path, args: [...args, path, '--version'], cwd: '/', env: {} }, probe, signal);
    return outcome.type === 'ended' && outcome.code === 0;
  };
  const firstThatWorks = async (name: string, choices: readonly (readonly string[])[]): Promise<readonly string[]> => {
    const found = await findBinary([name], folders);
    if (found === undefined) return [];
    for (const choice of choices) {
      const prefix = [found.path, ...choice, '--'];
      if (await works(prefix)) return prefix;
    }
    return [];
  };
  const network = await firstThatWorks('unshare', [['--net'], ['--map-root-user', '--net']]);
  const resources = await firstThatWorks('prlimit', [resourceLimits(limits)]);
  return { isolation: { network: network.length > 0, limits: resources.length > 0 }, prefix: [...network, ...resources] };
}

/**
 * Not the address space, of which Go reserves far more than it uses, and not the number of processes, which counts all of the user's
 * and not only the child's.
 */
function resourceLimits({ memoryBytes, cpuSeconds, fileBytes }: BinaryLimits): readonly string[] {
  return [`--data=${memoryBytes}`, `--cpu=${cpuSeconds}:${cpuSeconds + 2}`, `--fsize=${fileBytes}`, '--nofile=256', '--core=0'];
}

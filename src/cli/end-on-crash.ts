import { toSetpointError } from '../model/index.ts';
import type { Log } from '../telemetry/index.ts';
import { exitCode } from './exit-code.ts';

const mostFrames = 10;

/** What nobody caught leaves the agent in a state that nobody knows: it says so where its operators look, and ends. */
export function endOnCrash(process: Pick<NodeJS.Process, 'prependListener' | 'exit'>, log: Log): void {
  const crash = (error: unknown): void => {
    const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
    log.error('crashed', { reason: toSetpointError(error).message, stack: frames.slice(0, mostFrames).map((line) => line.trim()) });
    process.exit(exitCode.error);
  };
  // Before those that every command has, which write for people.
  process.prependListener('uncaughtException', crash);
  process.prependListener('unhandledRejection', crash);
}

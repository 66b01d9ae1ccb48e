import { exitCode } from './exit-code.ts';

/** Aborted when the user stops the command, which ends the process at once. */
export function untilInterrupted(process: NodeJS.Process): AbortSignal {
  const interrupt = new AbortController();
  process.once('SIGINT', () => {
    interrupt.abort();
    process.exit(exitCode.interrupted);
  });
  return interrupt.signal;
}

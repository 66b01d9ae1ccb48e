import { exitCode } from './exit-code.ts';

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** The first signal asks to stop; whoever sends a second one does not want to wait. */
export function stopSignal(process: Pick<NodeJS.Process, 'on' | 'exit'>): Promise<StopSignal> {
  return new Promise((resolve) => {
    let asked = false;
    const hear = (signal: StopSignal): void => {
      if (asked) process.exit(exitCode.interrupted);
      asked = true;
      resolve(signal);
    };
    process.on('SIGINT', hear);
    process.on('SIGTERM', hear);
  });
}

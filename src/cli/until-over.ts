import type { Agent } from '../app.ts';
import { toSetpointError } from '../model/index.ts';
import type { Log } from '../telemetry/index.ts';
import { exitCode, exitCodeOfError } from './exit-code.ts';
import type { StopSignal } from './stop-signal.ts';

interface Running {
  readonly agent: Agent;
  readonly asked: Promise<StopSignal>;
  readonly log: Log;
}

export function exitCodeOfSignal(signal: StopSignal): number {
  return signal === 'SIGINT' ? exitCode.interrupted : exitCode.done;
}

/** Waits for the end, asked for or not, lets the agent clean up, and says how the process ends. */
export async function untilOver({ agent, asked, log }: Running): Promise<number> {
  const tell = (message: string, error: unknown): number => {
    const { code, message: reason } = toSetpointError(error);
    log.error(message, { code, reason });
    return exitCodeOfError(code);
  };
  const code = await Promise.race([
    asked.then(exitCodeOfSignal),
    agent.done.then(
      () => exitCode.done,
      (error: unknown) => tell('agent failed', error),
    ),
  ]);
  return agent.stop().then(
    () => code,
    (error: unknown) => tell('agent did not stop cleanly', error),
  );
}

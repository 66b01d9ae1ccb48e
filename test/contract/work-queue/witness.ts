import type { WorkHandler } from '../../../src/queue/index.ts';
import { waitFor } from '../../support/wait-for.ts';

export interface Run {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly startedAt: number;
  /** This is the how manieth run of its key, from 1. */
  readonly count: number;
  ended: boolean;
}

export interface Behaviour {
  /** Keys whose first run lasts until they are released. */
  readonly hold?: readonly string[];
  readonly fail?: (run: Run) => boolean;
  readonly act?: (run: Run) => Promise<void> | undefined;
}

/** A handler that remembers what it was asked to do. */
export interface Witness {
  readonly handler: WorkHandler;
  readonly runs: readonly Run[];
  keys(): string[];
  underWay(): Run[];
  mostAtOnce(): number;
  release(key: string): void;
  started(key: string): Promise<Run>;
  /** Until the key has come to the end of so many runs, well or badly. */
  ran(key: string, times?: number): Promise<unknown>;
  failed(key: string): Promise<unknown>;
}

export function witness(behaviour: Behaviour = {}): Witness {
  const runs: Run[] = [];
  const gates = new Map((behaviour.hold ?? []).map((key) => [key, Promise.withResolvers<void>()]));
  let mostAtOnce = 0;

  const underWay = (): Run[] => runs.filter((run) => !run.ended);
  const ended = (key: string): number => runs.filter((run) => run.key === key && run.ended).length;
  const ran = (key: string, times = 1): Promise<unknown> =>
    waitFor(() => ended(key) >= times || undefined, { what: `run ${times} of ${key}; it had ${ended(key)} before` });

  return {
    runs,
    async handler(key, signal) {
      const count = runs.filter((run) => run.key === key).length + 1;
      const run: Run = { key, signal, count, startedAt: performance.now(), ended: false };
      runs.push(run);
      mostAtOnce = Math.max(mostAtOnce, underWay().length);
      try {
        if (count === 1) await gates.get(key)?.promise;
        await behaviour.act?.(run);
        if (behaviour.fail?.(run) === true) throw new Error(`${key} does not work`);
      } finally {
        run.ended = true;
      }
    },
    keys: () => runs.map((run) => run.key),
    underWay,
    mostAtOnce: () => mostAtOnce,
    release: (key) => gates.get(key)?.resolve(),
    started: (key) => waitFor(() => runs.find((run) => run.key === key), { what: `${key} to start` }),
    ran,
    failed: (key) => ran(key),
  };
}

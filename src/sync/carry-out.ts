import type { Step, StepOutcome } from '../model/index.ts';
import type { Applier } from './applier.ts';
import { batchesOf, isSameWave } from './batches.ts';
import { carryOutStep } from './carry-out-step.ts';
import { runBounded } from './run-bounded.ts';

/** The reason to abort with where the process is to end: what is under way is finished, and nothing more begun. */
export const stopping = 'stopping';

export interface CarryOutOptions {
  /** Aborted with the reason `stopping`, it ends with the outcomes so far; with any other, it throws that. */
  readonly signal: AbortSignal;
  /** Writes at the same time. */
  readonly concurrency?: number;
  /** Told of each outcome when it is there: of what was done before it throws, too. */
  readonly onOutcome?: (outcome: StepOutcome) => void;
}

// More buys nothing: the server works on four at once as fast as on sixteen.
const defaultConcurrency = 4;

/**
 * Carries out what is due: the steps before the first `wait`, in their order. One that fails keeps nothing of its own wave
 * back, and all that comes after the wave. Steps that were not begun have no outcome. Throws where `mayWrite` does.
 */
export async function carryOut(steps: readonly Step[], applier: Applier, { signal, concurrency = defaultConcurrency, onOutcome }: CarryOutOptions): Promise<readonly StepOutcome[]> {
  const ending = new AbortController();
  const end = (): void => {
    if (signal.reason !== stopping) ending.abort(signal.reason);
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    ending.signal.throwIfAborted();
    const signals = { ending: ending.signal, stopping: signal };
    const outcomes: StepOutcome[] = [];
    let failedIn: Step | undefined;
    for (const batch of batchesOf(dueOf(steps))) {
      if (failedIn !== undefined && !isSameWave(failedIn, batch[0])) break;
      const carryOutOne = async (step: Due): Promise<readonly StepOutcome[]> => {
        const results = await carryOutStep(step, applier, signals);
        if (onOutcome !== undefined) results.forEach(onOutcome);
        return results;
      };
      const results = await runBounded(batch, carryOutOne, { limit: concurrency, isOver: () => signal.aborted });
      outcomes.push(...results.flat());
      if (results.flat().some(({ type }) => type === 'failed')) [failedIn] = batch;
    }
    ending.signal.throwIfAborted();
    return outcomes;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

type Due = Exclude<Step, { type: 'wait' }>;

function dueOf(steps: readonly Step[]): readonly Due[] {
  const wait = steps.findIndex(({ type }) => type === 'wait');
  return steps.slice(0, wait === -1 ? undefined : wait).filter((step): step is Due => step.type !== 'wait');
}

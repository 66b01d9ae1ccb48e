import { toSetpointError, type Refusal, type ResourceKey, type Step, type StepOutcome } from '../model/index.ts';

interface Conflict {
  readonly field: string;
  readonly manager: string;
}

/** One apply of one resource, already bound to its manifest. */
export interface Applier {
  apply(
    key: ResourceKey,
    options: { readonly force: boolean; readonly signal: AbortSignal },
  ): Promise<
    | { readonly type: 'applied' }
    | { readonly type: 'conflict'; readonly conflicts: readonly Conflict[] }
    | Refusal
  >;
  /** Asked when others hold fields that we want at other values. */
  onConflict(conflicts: readonly Conflict[]): { readonly type: 'take' } | { readonly type: 'leave'; readonly why: string };
}

/** In the order of the steps; one that fails does not keep the others back. */
export async function carryOut(steps: readonly Step[], applier: Applier, signal: AbortSignal): Promise<readonly StepOutcome[]> {
  const outcomes: StepOutcome[] = [];
  for (const step of steps) {
    signal.throwIfAborted();
    outcomes.push(step.type === 'hold' ? { type: 'held', key: step.key, why: step.why } : await applyOne(step.key, applier, signal));
  }
  return outcomes;
}

async function applyOne(key: ResourceKey, applier: Applier, signal: AbortSignal): Promise<StepOutcome> {
  try {
    let result = await applier.apply(key, { force: false, signal });
    if (result.type === 'conflict') {
      const decision = applier.onConflict(result.conflicts);
      if (decision.type === 'leave') return { type: 'held', key, why: decision.why };
      result = await applier.apply(key, { force: true, signal });
    }
    if (result.type === 'applied') return { type: 'applied', key };
    return { type: 'failed', key, why: result.type === 'conflict' ? 'a forced apply was refused as a conflict' : result.message };
  } catch (error) {
    signal.throwIfAborted();
    return { type: 'failed', key, why: toSetpointError(error).message };
  }
}

import type { KubeObject, Step, StepOutcome } from '../model/index.ts';
import type { Applier, Removed, Write } from './applier.ts';
import { kindOf } from './batches.ts';
import { failed, failureOf, outcomesOf, writtenBy } from './step-outcome.ts';

type Due = Exclude<Step, { type: 'wait' }>;
type Doing = Exclude<Due, { type: 'hold' }>;

export interface Signals {
  /** Ends what is under way. */
  readonly ending: AbortSignal;
  /** Ends what is only waited for. */
  readonly stopping: AbortSignal;
}

/** Throws where nothing may be written any more; whatever else goes wrong is an outcome, even that `ending` is over. */
export async function carryOutStep(step: Due, applier: Applier, signals: Signals): Promise<readonly StepOutcome[]> {
  const { key } = step;
  if (step.type === 'hold') return [{ type: 'held', key, code: step.code, why: step.why }];
  applier.mayWrite();
  let result: Write | Removed;
  try {
    result = await perform(step, applier, signals.ending);
  } catch (error) {
    applier.mayWrite();
    return [failureOf(key, error)];
  }
  const written = writtenBy(result);
  if (written !== undefined) applier.wrote(key, written);
  if (result.type === 'replaced' && step.type === 'prune') {
    return [{ type: 'held', key, code: 'NotOurs', why: 'another object has its name by now, which is not the one that was applied' }];
  }
  if (result.type === 'applied' && kindOf(step) === definitionKind && !(await isServed(result.object, applier, signals))) {
    return [failed(key, `it was applied, and its kind is not served after ${establishedMs / 1000} s`, 'soon')];
  }
  return outcomesOf(key, result);
}

function perform(step: Doing, applier: Applier, signal: AbortSignal): Promise<Write | Removed> {
  switch (step.type) {
    case 'apply':
      return applier.apply(step, signal);
    case 'recreate':
      return applier.recreate(step, signal);
    // In the foreground: an object that is gone has left no pod behind that would still be at work when the next one begins.
    case 'hook':
      if (step.replaces === undefined) return applier.create(step, signal);
      return applier.recreate({ ...step, uid: step.replaces, propagation: 'foreground' }, signal);
    case 'delete-hook':
      return applier.remove({ ...step, propagation: 'foreground' }, signal);
    case 'prune':
      return applier.remove(step, signal);
  }
}

const definitionKind = 'apiextensions.k8s.io/CustomResourceDefinition';
/** The server takes five seconds where there are several of it. */
const establishedMs = 10_000;

async function isServed(definition: KubeObject, applier: Applier, { ending, stopping }: Signals): Promise<boolean> {
  try {
    return await applier.untilEstablished(definition, { withinMs: establishedMs, signal: stopping });
  } catch {
    ending.throwIfAborted();
    // Nothing comes after it that would need it.
    return stopping.aborted;
  }
}

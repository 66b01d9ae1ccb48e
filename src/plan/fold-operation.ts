import { displayKey, type HoldCode, type HookState, type Operation, type Plan, type Step, type StepOutcome } from '../model/index.ts';
import { isAct, type Act, type Hold } from './candidate.ts';
import { hookName } from './hook-run.ts';
import { lastingHolds } from './in-waves.ts';
import { isSuperseded } from './plan-superseded.ts';

type Wait = Extract<Step, { readonly type: 'wait' }>;

interface CarriedOut {
  /** The one that was made with this operation on record. */
  readonly plan: Plan;
  /** As far as it went. */
  readonly outcomes: readonly StepOutcome[];
  readonly now: Date;
}

/** Holds that lift by themselves, or when somebody lets the sync go on: it is not over meanwhile. */
const suspending: ReadonlySet<HoldCode> = new Set<HoldCode>(['Paused', 'HalfRead', 'NotSettled']);

/** How an operation stands after what was due has been done. An end is only reached when a plan has nothing left that is not on record. */
export function foldOperation(operation: Operation, { plan, outcomes, now }: CarriedOut): Operation {
  if (operation.state !== 'running' && operation.state !== 'failing') return operation;
  const hooks = { ...operation.hooks, ...plan.hooks, ...begunHooks(plan, outcomes) };
  const { message: _before, waitingSince: _since, ...rest } = operation;
  const wait = dueActs(plan).length === 0 ? plan.steps.find((step) => step.type === 'wait') : undefined;
  const waitingSince = wait === undefined ? undefined : (operation.waitingSince ?? now.toISOString());
  const next: Operation = { ...rest, hooks };
  const at = (state: Operation['state'], message: string | undefined): Operation => ({
    ...next,
    state,
    ...(message !== undefined && { message }),
    ...(state === 'running' && waitingSince !== undefined && { waitingSince }),
    ...(state !== 'running' && state !== 'failing' && { endedAt: now.toISOString() }),
  });

  const open = whatIsOpen(plan, outcomes) ?? (isSame(operation.hooks, hooks) ? undefined : 'its hooks go on');
  // The reason of the failure outlives what is done about it.
  if (operation.state === 'failing') return at(open === undefined || stuckWait(plan) !== undefined ? 'failed' : 'failing', operation.message);
  if (isSuperseded(operation, plan)) return open === undefined ? at('terminated', whatFollows(operation, plan)) : at('running', open);
  const failure = failedHook(hooks) ?? failedStep(outcomes) ?? stuckWait(plan) ?? overdueWait(wait, waitingSince, now);
  if (failure !== undefined) return at('failing', failure);
  if (open !== undefined) return at('running', open);
  const holds = plan.steps.filter((step) => step.type === 'hold');
  const lasting = holds.find((hold) => lastingHolds.has(hold.code) && !isKept(hold, operation));
  if (lasting !== undefined) return at('failing', told(lasting));
  return at('succeeded', holds[0] === undefined ? undefined : `${told(holds[0])}${holds.length > 1 ? ` (and ${holds.length - 1} more)` : ''}`);
}

function whatFollows({ revision }: Operation, { commit }: Plan): string {
  return revision === commit ? 'its sources were changed meanwhile' : `a newer commit took its place: ${commit ?? ''}`;
}

/** What was created runs; what the server refuses for good has failed. Anything else is tried again. */
function begunHooks(plan: Plan, outcomes: readonly StepOutcome[]): Operation['hooks'] {
  return Object.fromEntries(
    dueActs(plan).flatMap((step): readonly [string, HookState][] => {
      const outcome = step.type === 'hook' ? outcomeOf(step, outcomes) : undefined;
      if (outcome?.type === 'applied') return [[hookName(step.phase, step.key), 'running']];
      return outcome?.type === 'failed' && outcome.retry === 'later' ? [[hookName(step.phase, step.key), 'failed']] : [];
    }),
  );
}

/** What keeps the operation from ending: something undone, something to wait for, something that holds all of it. */
function whatIsOpen(plan: Plan, outcomes: readonly StepOutcome[]): string | undefined {
  const undone = dueActs(plan).find((step) => {
    const outcome = outcomeOf(step, outcomes);
    return outcome === undefined || (outcome.type === 'failed' && outcome.retry === 'soon');
  });
  const waiting = undone ?? plan.steps.find(({ type }) => type === 'wait') ?? plan.steps.find((step) => step.type === 'hold' && suspending.has(step.code));
  return waiting === undefined ? undefined : told(waiting);
}

function failedHook(hooks: Operation['hooks']): string | undefined {
  const name = Object.keys(hooks).find((hook) => hooks[hook] === 'failed');
  return name === undefined ? undefined : `the hook ${name} failed`;
}

function failedStep(outcomes: readonly StepOutcome[]): string | undefined {
  const failed = outcomes.flatMap((outcome) => (outcome.type === 'failed' && outcome.retry === 'later' ? [outcome] : []));
  const [first] = failed;
  return first === undefined ? undefined : `${displayKey(first.key)}: ${first.why}${failed.length > 1 ? ` (and ${failed.length - 1} more)` : ''}`;
}

/** Nothing is due, and what is waited for does not come by waiting. */
function stuckWait(plan: Plan): string | undefined {
  const wait = plan.steps.find((step) => step.type === 'wait');
  return wait?.isStuck === true && dueActs(plan).length === 0 ? told(wait) : undefined;
}

/** What a deletion leaves behind is no failure of it, and what is not pruned none of a sync. */
function isKept({ code }: Hold, { type }: Operation): boolean {
  return type === 'delete' || code === 'NotOurs';
}

/** It may come by waiting, and has not for a long time. */
function overdueWait(wait: Wait | undefined, since: string | undefined, now: Date): string | undefined {
  if (wait?.limitMs === undefined || since === undefined || now.getTime() - Date.parse(since) < wait.limitMs) return undefined;
  return `${told(wait)}; it was waited for ${Math.round(wait.limitMs / 1000)} s`;
}

function dueActs({ steps }: Plan): readonly Act[] {
  const wait = steps.findIndex(({ type }) => type === 'wait');
  return steps.slice(0, wait === -1 ? steps.length : wait).filter(isAct);
}

function outcomeOf(step: Act, outcomes: readonly StepOutcome[]): StepOutcome | undefined {
  return outcomes.find(({ key }) => key === step.key);
}

function told(step: Step): string {
  const why = 'why' in step && step.type !== 'apply' ? step.why : 'is not done yet';
  return `${displayKey(step.key)} ${step.type === 'hold' ? `is held: ${why}` : why}`;
}

function isSame(before: Operation['hooks'], after: Operation['hooks']): boolean {
  return Object.keys(after).every((name) => before[name] === after[name]);
}

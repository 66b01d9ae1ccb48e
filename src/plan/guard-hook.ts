import type { ResourceKey } from '../model/index.ts';
import type { Hold } from './candidate.ts';
import { hookConfirmation } from './confirmation.ts';
import { lostWith } from './dangerous-kinds.ts';
import type { LiveFacts } from './live-facts.ts';
import { isOfSetpoint, neededHere } from './of-setpoint.ts';
import type { PlanInput } from './plan-input.ts';
import type { Marks } from './read-marks.ts';
import { mayTakeFrom } from './take-from.ts';
import { trackedApplication } from './tracking-id.ts';

/** What bears a hook's name and would have to go. */
interface Standing {
  readonly key: ResourceKey;
  readonly facts: LiveFacts;
  /** Of the hook, as Git has it. */
  readonly marks: Marks;
  /** Why it would: the beginning of a sentence. */
  readonly because: string;
}

type Verdict = { readonly type: 'goes'; readonly confirmed?: true } | { readonly type: 'stays'; readonly refusal: Pick<Hold, 'code' | 'why' | 'confirm'> };

/** Whether it may be deleted: a hook is made anew each time, and is no way around what keeps everything else. */
export function guardHook(standing: Standing, input: PlanInput): Verdict {
  const { key, facts, because } = standing;
  if (isOfSetpoint(key, facts, input)) return { type: 'stays', refusal: { code: 'NotOurs', why: `${because}; ${neededHere}` } };
  const lost = lostWith(key);
  const stranger = strangerTo(standing, input);
  if (lost === undefined && stranger === undefined) return { type: 'goes' };
  const confirm = hookConfirmation(key, facts.uid);
  if (isConfirmed(key, confirm, input)) return { type: 'goes', confirmed: true };
  // What would be lost is there: what needs it goes on without the hook.
  if (lost !== undefined) return { type: 'stays', refusal: { code: 'PruneNeedsConfirmation', why: `${because}, and ${lost} would be lost with it`, confirm } };
  return { type: 'stays', refusal: { code: 'NotOurs', why: `${because}, and ${stranger ?? ''}: delete it, or confirm that it goes`, confirm } };
}

/** Who else made it, in words; undefined where we did, as a hook or as a resource that it was before. */
function strangerTo({ key, marks, facts: { trackedBy, hookRun } }: Standing, input: PlanInput): string | undefined {
  const { application, operation, runs } = input;
  const owner = trackedApplication(trackedBy, key);
  if (owner !== undefined && (owner === application.id || mayTakeFrom(owner, marks, input))) return undefined;
  if (owner !== undefined) return `the application ${owner} made it`;
  // Hooks had no mark once, only the operation that made them.
  const run = hookRun?.slice(0, hookRun.lastIndexOf(' ')) ?? '';
  const isOnRecord = run !== '' && (run === operation?.id || runs?.has(run) === true);
  return isOnRecord && trackedBy === undefined ? undefined : 'somebody else made it';
}

/** What was confirmed to be deleted for a hook may also be deleted after it, in the same sync. */
function isConfirmed(key: ResourceKey, confirm: string, { operation, request }: PlanInput): boolean {
  const said = (operation === undefined ? request : operation.request)?.approve ?? [];
  return said.includes(confirm) || operation?.confirmed?.includes(key) === true;
}

import type { ResourceKey } from '../../model/index.ts';
import type { Hold } from '../candidate.ts';
import { pruneConfirmation } from '../confirmation.ts';
import type { PlanInput } from '../plan-input.ts';
import { pruneBudget } from './budget.ts';
import type { Doomed, PruneGuard } from './doomed.ts';
import { notDeclaredElsewhere } from './declared-elsewhere.ts';
import { enabled } from './enabled.ts';
import { whyConfirm } from './needs-confirmation.ts';
import { notEmpty } from './not-empty.ts';
import { notOurselves } from './not-ourselves.ts';
import { mayBeDeleted, mayBePruned } from './opted-out.ts';
import { ours } from './ours.ts';
import { sameObject } from './same-object.ts';
import { settled } from './settled.ts';
import { wholeRender } from './whole-render.ts';

/**
 * In this order: the first that refuses is the one that is told. That the files are those of the commit needs no guard here: `git/` finds the
 * folder by what the commit itself says, and gives back only what hashes to the id that was asked for.
 */
const pruning: readonly PruneGuard[] = [enabled, wholeRender, notEmpty, settled, ours, sameObject, notOurselves, notDeclaredElsewhere, mayBePruned];
/** Of a deletion of the whole application, which asks neither Git nor a budget. */
const deleting: readonly PruneGuard[] = [ours, sameObject, notOurselves, notDeclaredElsewhere, mayBeDeleted];

export type Sentence = { readonly type: 'goes'; readonly confirmed?: true } | ({ readonly type: 'stays' } & Pick<Hold, 'code' | 'why' | 'confirm'>);

export function judgeDoomed(doomed: readonly Doomed[], input: PlanInput): ReadonlyMap<ResourceKey, Sentence> {
  const isDeletion = input.operation?.type === 'delete';
  const guards = isDeletion ? deleting : pruning;
  const refusals = new Map(doomed.map((item) => [item.key, firstRefusal(guards, item, input)]));
  const passed = doomed.filter(({ key }) => refusals.get(key) === undefined);
  // What is deleted with its application goes whatever Git says by now, and all that nobody has to confirm is soon gone from the list.
  const confirm = isDeletion ? pruneConfirmation(input.operation?.revision ?? null, passed.filter((item) => whyConfirm(item, input) !== undefined)) : pruneConfirmation(input.commit, passed);
  const isConfirmed = confirmedBy(input, confirm);
  const unasked = passed.filter((item) => !isConfirmed(item.key) && whyConfirm(item, input) === undefined);
  const budget = isDeletion ? Infinity : pruneBudget(Object.keys(input.inventory).length);
  const sentence = (item: Doomed): Sentence => {
    const refusal = refusals.get(item.key);
    if (refusal !== undefined) return { type: 'stays', ...refusal };
    if (isConfirmed(item.key)) return { type: 'goes', confirmed: true };
    const why = whyConfirm(item, input);
    if (why !== undefined) return { type: 'stays', code: 'PruneNeedsConfirmation', why, confirm };
    if (unasked.length <= budget) return { type: 'goes' };
    return { type: 'stays', code: 'PruneBudget', why: `${unasked.length} objects would be deleted, and at most ${budget} are without a confirmation`, confirm };
  };
  return new Map(doomed.map((item) => [item.key, sentence(item)]));
}

function firstRefusal(guards: readonly PruneGuard[], item: Doomed, input: PlanInput): ReturnType<PruneGuard> {
  for (const guard of guards) {
    const refusal = guard(item, input);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function confirmedBy({ operation, request, commit }: PlanInput, confirm: string): (key: ResourceKey) => boolean {
  const said = (operation === undefined ? request : operation.request)?.approve ?? [];
  const begun = new Set(operation !== undefined && (operation.type === 'delete' || operation.revision === commit) ? operation.confirmed : []);
  return (key) => said.includes(confirm) || begun.has(key);
}

import type { Phase, Plan } from '../model/index.ts';
import { sourcesName } from './begun-for.ts';
import { held, isAct, type Candidate } from './candidate.ts';
import { planHash } from './confirmation.ts';
import { hookDeletions } from './hook-deletions.ts';
import { hookName, hookStates } from './hook-run.ts';
import { inOrder, inWaves } from './in-waves.ts';
import { hookCandidates, hooksOf } from './plan-hooks.ts';
import type { PlanInput } from './plan-input.ts';
import { pruneCandidates } from './plan-prunes.ts';
import { optionOf } from './sync-options.ts';
import { whyPaused } from './why-stopped.ts';

const deleting: readonly Phase[] = ['PreDelete', 'PostDelete'];

/** The whole application goes: hooks, then all that we applied, the last waves first, then hooks again. Whoever calls it has made sure that this was asked for. */
export function planDeletion(input: PlanInput): Plan {
  const { operation, commit, live } = input;
  const isFailing = operation?.state === 'failing';
  const all = hooksOf(input, deleting);
  const states = operation === undefined ? {} : hookStates(operation, all.map(({ phase, manifest }) => hookName(phase, manifest.key)), live);
  const work = isFailing ? [] : [...hookCandidates(all, input, states), ...pruneCandidates(input, new Set(), 0).map((candidate) => leaving(candidate, input))];
  const deletions = operation === undefined ? [] : hookDeletions(all, operation, input);
  const stop = whyPaused(input);
  const candidates = [...work, ...deletions].map((candidate) => (stop !== undefined && isAct(candidate.step) ? { ...candidate, step: held(candidate, stop) } : candidate));
  const hash = planHash(input, work.toSorted(inOrder).flatMap(({ step }) => (isAct(step) ? [step] : [])));
  return { steps: inWaves(candidates), hash, commit, content: sourcesName(input.application, input.commits), hooks: states, ...(stop !== undefined && { stopped: { code: stop.code, why: stop.why } }) };
}

/** What is deleted has to be gone before the end, and what asks to be confirmed is waited for. What is kept for other reasons is left behind. */
function leaving(candidate: Candidate, { live, application }: PlanInput): Candidate {
  const { key, phase, wave, step, lacks } = candidate;
  if (step === undefined) return { ...candidate, step: { type: 'wait', key, phase, wave, why: lacks ?? 'is being deleted' } };
  const options = live(key)?.marks.options ?? {};
  const isAsking = step.type === 'hold' && step.confirm !== undefined && optionOf('Delete', options, application.syncOptions) === 'confirm';
  return isAsking || isAct(step) ? { ...candidate, isNeeded: true } : candidate;
}

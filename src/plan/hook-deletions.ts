import type { Operation, Phase } from '../model/index.ts';
import { held, type Candidate } from './candidate.ts';
import { guardHook } from './guard-hook.ts';
import { hookName, hookRun } from './hook-run.ts';
import type { Hook } from './plan-hooks.ts';
import type { PlanInput } from './plan-input.ts';

/**
 * Hooks whose delete policy says that they go now. They stay until the last one of their phase has ended: one may be an account or a
 * configuration that another needs.
 */
export function hookDeletions(hooks: readonly Hook[], operation: Operation, input: PlanInput): readonly Candidate[] {
  const isOver = phasesOver(hooks, operation);
  return hooks.flatMap(({ manifest: { key }, marks, phase }): readonly Candidate[] => {
    const state = operation.hooks[hookName(phase, key)];
    const facts = input.live(key);
    const isDue = (state === 'succeeded' && marks.deletePolicies.includes('HookSucceeded')) || (state === 'failed' && marks.deletePolicies.includes('HookFailed'));
    if (!isDue || !isOver(phase) || facts === undefined || facts.isDeleting || facts.hookRun !== hookRun(operation, phase)) return [];
    const place = { key, phase, wave: marks.wave };
    const verdict = guardHook({ key, facts, marks, because: 'its delete policy says that it goes now' }, input);
    // What is kept of a hook that has run keeps nobody waiting.
    if (verdict.type === 'stays') return [{ ...place, step: held(place, verdict.refusal), reason: 'prune', lacks: undefined }];
    return [{ ...place, step: { type: 'delete-hook', ...place, uid: facts.uid }, reason: 'hook', lacks: undefined }];
  });
}

function phasesOver(hooks: readonly Hook[], operation: Operation): (phase: Phase) => boolean {
  const isEnded = ({ manifest, phase }: Hook): boolean => ['succeeded', 'failed'].includes(operation.hooks[hookName(phase, manifest.key)] ?? '');
  return (phase) => (operation.state === 'failing' && phase !== 'SyncFail') || hooks.every((hook) => hook.phase !== phase || isEnded(hook));
}

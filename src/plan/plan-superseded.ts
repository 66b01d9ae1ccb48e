import type { Operation, Plan, Step } from '../model/index.ts';
import { sourcesName } from './begun-for.ts';
import { planHash } from './confirmation.ts';
import { hookStates, parseHookName } from './hook-run.ts';
import type { PlanInput } from './plan-input.ts';

/** Git went on while it was under way, or what is made of it is asked for otherwise. What it still had to do is no longer what is wanted. */
export function isSuperseded({ type, revision, content }: Operation, now: Pick<Plan, 'commit' | 'content'>): boolean {
  if (type === 'delete' || revision === null || now.commit === null) return false;
  return revision !== now.commit || (content !== undefined && content !== now.content);
}

/** Hooks that run are let finish: a migration is not to be cut off in the middle by the next one. */
export function planSuperseded(operation: Operation, input: PlanInput): Plan {
  const { live, commit, application, commits } = input;
  const hooks = hookStates(operation, [], live);
  const steps = Object.entries(hooks).flatMap(([name, state]): readonly Step[] =>
    state === 'running' ? [{ type: 'wait', ...parseHookName(name), wave: 0, why: `is a hook that runs at ${operation.revision ?? 'an earlier commit'}, and is let finish` }] : [],
  );
  return { steps, hash: planHash(input, []), commit, content: sourcesName(application, commits), hooks };
}

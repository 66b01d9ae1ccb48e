import type { Operation, Plan, Step } from '../model/index.ts';
import { planHash } from './confirmation.ts';
import { hookStates, parseHookName } from './hook-run.ts';
import type { PlanInput } from './plan-input.ts';

/** Git went on while it was under way. What it still had to do is no longer what Git says. */
export function isSuperseded({ type, revision }: Operation, commit: string | null): boolean {
  return type !== 'delete' && revision !== null && commit !== null && revision !== commit;
}

/** Hooks that run are let finish: a migration is not to be cut off in the middle by the next one. */
export function planSuperseded(operation: Operation, { live, commit }: PlanInput): Plan {
  const hooks = hookStates(operation, [], live);
  const steps = Object.entries(hooks).flatMap(([name, state]): readonly Step[] =>
    state === 'running' ? [{ type: 'wait', ...parseHookName(name), wave: 0, why: `is a hook that runs at ${operation.revision ?? 'an earlier commit'}, and is let finish` }] : [],
  );
  return { steps, hash: planHash(commit, []), commit, hooks };
}

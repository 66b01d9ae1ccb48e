import type { Operation, Plan, SyncRequest } from '../model/index.ts';

interface Beginning {
  /** Another one each time: hooks are told apart by it. */
  readonly id: string;
  readonly request?: SyncRequest;
  readonly now: Date;
}

/** The record that has to be durable before anything is done. Undefined where there is nothing to begin. With it, the plan is made anew and then carried out. */
export function beginOperation(plan: Plan, { id, request, now }: Beginning): Operation | undefined {
  if (plan.begins === undefined) return undefined;
  const confirmed = plan.steps.flatMap((step) => ('confirmed' in step && step.confirmed === true ? [step.key] : []));
  return {
    id,
    type: plan.begins,
    revision: plan.commit,
    startedAt: now.toISOString(),
    ...(request !== undefined && { request }),
    hooks: {},
    ...(confirmed.length > 0 && { confirmed }),
    state: 'running',
  };
}

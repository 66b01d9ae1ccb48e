import type { Operation, Plan, SyncRequest } from '../model/index.ts';

interface Beginning {
  /** Another one each time: hooks are told apart by it. */
  readonly id: string;
  /** Names the spec of the application. */
  readonly spec: string;
  readonly request?: SyncRequest;
  readonly now: Date;
}

/** The record that has to be durable before anything is done. Undefined where there is nothing to begin. With it, the plan is made anew and then carried out. */
export function beginOperation(plan: Plan, { id, spec, request, now }: Beginning): Operation | undefined {
  if (plan.begins === undefined) return undefined;
  const confirmed = plan.steps.flatMap((step) => (step.type === 'prune' && step.confirmed === true ? [step.key] : []));
  return {
    id,
    type: plan.begins,
    revision: plan.commit,
    content: plan.content,
    spec,
    startedAt: now.toISOString(),
    ...(request !== undefined && { request }),
    hooks: {},
    ...(confirmed.length > 0 && { confirmed }),
    state: 'running',
  };
}

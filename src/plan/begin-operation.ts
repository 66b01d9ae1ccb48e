import type { Operation, Plan, ResourceKey, SyncRequest } from '../model/index.ts';

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
  const confirmed = confirmedIn(plan);
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

/** A deletion is begun before anybody can confirm what it asks for: what is confirmed now stays so while the list gets shorter. */
export function confirmOperation(operation: Operation | null, plan: Plan): Operation | null {
  const confirmed = operation?.type === 'delete' ? confirmedIn(plan) : [];
  return operation === null || confirmed.length === 0 ? operation : { ...operation, confirmed: [...new Set([...(operation.confirmed ?? []), ...confirmed])] };
}

function confirmedIn({ steps }: Plan): readonly ResourceKey[] {
  return steps.flatMap((step) => ('confirmed' in step && step.confirmed ? [step.key] : []));
}

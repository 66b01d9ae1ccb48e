import type { AppStatus, Application, Operation, Plan, SyncRequest } from '../model/index.ts';
import { planSync, type PlanInput } from '../plan/index.ts';
import { fightsOf } from './fights.ts';
import { progressOf } from './health-after.ts';
import { completed } from './inventory.ts';
import { isRenderedAlike } from './is-rendered-alike.ts';
import { leftBehind, liveObjects, type LiveObjects } from './live-objects.ts';
import type { Observation } from './observe.ts';
import { planInputOf, runsOf } from './plan-input-of.ts';
import type { Ports, Target } from './ports.ts';
import { renderedName } from './rendered-name.ts';

export interface Look {
  readonly application: Application;
  readonly observation: Observation;
  readonly status: AppStatus;
  /** What the look before rendered, by its name: what is planned again within a look has not been looked at twice for that. */
  readonly renderedBefore: AppStatus['rendered'];
  readonly operation: Operation | undefined;
  readonly request: SyncRequest | undefined;
}

/** A plan, and what it was made from. */
export interface PlannedLook {
  readonly plan: Plan;
  readonly objects: LiveObjects;
  /** Of what Git no longer has. */
  readonly left: readonly Target[];
  /** The same plan with an operation on record. */
  with(operation: Operation): PlannedLook;
}

export async function planLook(look: Look, ports: Ports, signal: AbortSignal): Promise<PlannedLook> {
  const { application, observation, status, renderedBefore, operation, request } = look;
  const { targets, hooks, judgement, commits } = observation;
  const declared = new Set([...targets, ...hooks].map(({ manifest }) => manifest.key));
  const left = await leftBehind({ inventory: status.inventory, declared: new Set([...declared, ...judgement.resources.map(({ diff }) => diff.key)]) }, ports.cluster, signal);
  const objects = await liveObjects({ applicationId: application.id, declared: targets, others: [...hooks, ...left] }, ports, signal);
  const progress = progressOf(status.unhealthy);
  const now = ports.now();
  const input = await planInputOf(
    {
      ...{ application, judgement, commits, targets, hooks, objects, operation, request, now },
      healthOf(object, key) {
        const seen = observation.health(key);
        // Its pods may have told.
        if (seen?.isOverdue === true) return seen;
        const progressingSince = progress.get(key);
        return ports.healthOf(object, progressingSince === undefined ? {} : { progressingSince });
      },
      inventory: completed(status.inventory, { applicationId: application.id, objects, declared }),
      isSettled: renderedBefore === renderedName(observation),
      fights: fightsOf(status.corrections, now),
      runs: runsOf(status),
      otherDeclarer: (key) => [...ports.standing.declarers(key)].find((id) => id !== application.id),
      agentNamespace: ports.agentNamespace,
    },
    ports.cluster,
    signal,
  );
  const planned = (given: PlanInput): PlannedLook => ({ plan: planSync(given), objects, left, with: (begun) => planned({ ...given, operation: begun, request: undefined }) });
  const first = planned(input);
  const isPruning = operation?.type !== 'delete' && first.plan.steps.some(({ type }) => type === 'prune');
  return !isPruning || (await isRenderedAlike({ application, observation }, ports, signal)) ? first : planned({ ...input, render: { ...input.render, isSettled: false } });
}

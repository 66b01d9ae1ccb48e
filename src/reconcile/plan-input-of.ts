import { isWhole, type Application, type AppStatus, type Health, type Judgement, type KubeObject, type ResourceKey } from '../model/index.ts';
import { liveFacts, namespaceKey, type PlanInput } from '../plan/index.ts';
import { goneApplications } from './gone-applications.ts';
import type { LiveObjects } from './live-objects.ts';
import { namespaceState } from './namespace-state.ts';
import type { ClusterPort, Target } from './ports.ts';

interface Seen extends Pick<PlanInput, 'commits' | 'inventory' | 'operation' | 'request' | 'fights' | 'now' | 'otherDeclarer'>, Required<Pick<PlanInput, 'runs'>> {
  readonly application: Application;
  readonly judgement: Pick<Judgement, 'commit' | 'resources' | 'findings'>;
  readonly targets: readonly Target[];
  readonly hooks: readonly Target[];
  readonly objects: LiveObjects;
  readonly healthOf: (object: KubeObject, key: ResourceKey) => Health;
  /** Undefined where whoever looks is no agent of a cluster. */
  readonly agentNamespace?: string | undefined;
  /** The look before rendered the same. */
  readonly isSettled: boolean;
}

/** All that a plan is made of, whoever looked: the agent, or somebody by hand. */
export async function planInputOf(seen: Seen, cluster: Pick<ClusterPort, 'read'>, signal: AbortSignal): Promise<PlanInput> {
  const { application, judgement, targets, hooks, objects, healthOf, isSettled, commits, inventory, operation, request, fights, runs, agentNamespace, otherDeclarer, now } = seen;
  const { commit, resources, findings } = judgement;
  return {
    ...{ application, commit, commits, findings, inventory, operation, request, fights, runs, now },
    manifests: [...targets, ...hooks].map(({ manifest }) => manifest),
    judged: new Map(resources.map((resource) => [resource.diff.key, resource])),
    live(key) {
      const object = objects.get(key);
      return object === undefined ? undefined : liveFacts(object, healthOf(object, key));
    },
    render: { isWhole: isWhole(findings), isSettled },
    namespace: { name: application.destination.namespace, state: await namespaceState(application, cluster, signal) },
    goneApplications: await goneApplications({ application, declared: [...targets, ...hooks], objects }, cluster, signal),
    ...(otherDeclarer !== undefined && { otherDeclarer }),
    self: new Set([application.namespace, agentNamespace].flatMap((namespace) => (namespace === undefined ? [] : [namespaceKey(namespace)]))),
  };
}

/** The operations that a status knows of, by their ids. */
export function runsOf({ operation, history }: Pick<AppStatus, 'operation' | 'history'>): ReadonlySet<string> {
  return new Set([operation?.id, ...history.map((entry) => entry.operation)].filter((id) => id !== undefined));
}

import { differInReplicas, isScaled, replicaRange, type KindLookup, type ReplicaRange } from '../diff/index.ts';
import type { KubeObject, ServedKind } from '../model/index.ts';
import type { ClusterPort, Target, WatchPort } from './ports.ts';

/** Which autoscaler has chosen the replicas of an object, where Git declares others; undefined where that is no autoscaler's choice. */
export type ScaledBy = (target: Target, live: KubeObject) => Promise<ReplicaRange | undefined>;

interface Sources {
  /** All that the application declares. */
  readonly targets: readonly Target[];
  readonly lookUp: KindLookup;
  readonly cluster: Pick<ClusterPort, 'list'>;
  readonly watch: Pick<WatchPort, 'sight'> | undefined;
}

const kindName = 'HorizontalPodAutoscaler';

/** For one look. Autoscalers that the application declares are in sight; for others the namespace is asked once, and only where replicas differ. */
export function createScaledBy({ targets, lookUp, cluster, watch }: Sources, signal: AbortSignal): ScaledBy {
  const asked = new Map<string, Promise<readonly KubeObject[]>>();
  const declared = targets.filter(({ kind }) => kind.kind === kindName && kind.group === 'autoscaling');
  const inSight = (): readonly KubeObject[] =>
    declared.flatMap(({ manifest }) => {
      const reading = watch?.sight(manifest.key)?.reading();
      return reading?.type === 'live' ? [reading.live.object] : [];
    });
  const listIn = (namespace: string): Promise<readonly KubeObject[]> => {
    const kind = servedKind(lookUp);
    const listed = asked.get(namespace) ?? (kind === undefined ? Promise.resolve([]) : cluster.list(kind, namespace, signal));
    asked.set(namespace, listed);
    return listed;
  };
  return async ({ manifest: { object } }, live) => {
    const { namespace } = live.metadata;
    if (namespace === undefined || !differInReplicas(object, live)) return undefined;
    const range = replicaRange(live, inSight()) ?? replicaRange(live, await listIn(namespace));
    return range !== undefined && isScaled(object, live, range) ? range : undefined;
  };
}

function servedKind(lookUp: KindLookup): ServedKind | undefined {
  const found = lookUp('autoscaling/v2', kindName);
  return found.type === 'served' ? found.kind : undefined;
}

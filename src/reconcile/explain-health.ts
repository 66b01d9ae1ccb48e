import { parseResourceKey, type Health, type KubeObject, type UnhealthyResource } from '../model/index.ts';
import type { Observation } from './observe.ts';
import type { Ports, Target } from './ports.ts';

/** Those whose trouble is that of their pods. */
const workloads: ReadonlySet<string> = new Set(['apps/Deployment', 'apps/StatefulSet', 'apps/DaemonSet', 'apps/ReplicaSet', 'batch/Job']);
// Of an application that is down as a whole, a few say why.
const mostExplained = 5;

/** What was begun a moment ago needs no reason. */
export const patienceMs = 5000;

interface Look {
  readonly applicationId: string;
  /** Since when what is not well is like that, as far as it was seen. */
  readonly unhealthy: readonly UnhealthyResource[];
  readonly targets: readonly Target[];
  readonly health: Observation['health'];
}

/** The reason that a person needs is in the pods: they are asked for where something is not well. */
export async function explainHealth({ applicationId, unhealthy, targets, health }: Look, { cluster, standing, healthOf, now }: Ports, signal: AbortSignal): Promise<Observation['health']> {
  const lasting = new Set(unhealthy.flatMap(({ key, since }) => (now().getTime() - Date.parse(since) >= patienceMs ? [key] : [])));
  const unwell = targets.filter(({ manifest: { key } }) => {
    const { group, kind } = parseResourceKey(key);
    const status = health(key)?.status;
    return workloads.has(`${group}/${kind}`) && (status === 'Degraded' || (status === 'Progressing' && lasting.has(key)));
  });
  if (unwell.length === 0) return health;
  const { watch } = standing.of(applicationId);
  const explained = new Map<string, Health>();
  for (const { manifest } of unwell.slice(0, mostExplained)) {
    const reading = watch.sight(manifest.key)?.reading();
    if (reading?.type !== 'live') continue;
    // What cannot be asked for is no worse than before.
    const pods = await cluster.podsOf(reading.live.object, signal).catch((): readonly KubeObject[] => []);
    if (pods.length > 0) explained.set(manifest.key, healthOf(reading.live.object, { pods }));
  }
  return (key) => explained.get(key) ?? health(key);
}

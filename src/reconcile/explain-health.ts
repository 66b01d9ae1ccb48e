import { parseResourceKey, type Health, type KubeObject, type UnhealthyResource } from '../model/index.ts';
import { progressOf } from './health-after.ts';
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

/** The reason that a person needs is in the pods: they are asked for where something is not well. Time alone makes worse what does not come to an end. */
export async function explainHealth({ applicationId, unhealthy, targets, health }: Look, { cluster, standing, healthOf, now }: Ports, signal: AbortSignal): Promise<Observation['health']> {
  const progress = progressOf(unhealthy);
  const lasting = new Set(unhealthy.flatMap(({ key, since }) => (now().getTime() - Date.parse(since) >= patienceMs ? [key] : [])));
  const unwell = targets.filter(({ manifest: { key } }) => {
    const { group, kind } = parseResourceKey(key);
    const status = health(key)?.status;
    return workloads.has(`${group}/${kind}`) && (status === 'Degraded' || (status === 'Progressing' && lasting.has(key)));
  });
  // What was judged when it was last seen may have taken too long since.
  const late = targets.filter((target) => progress.has(target.manifest.key) && health(target.manifest.key)?.status === 'Progressing' && !unwell.includes(target));
  if (unwell.length === 0 && late.length === 0) return health;
  const { watch } = standing.of(applicationId);
  const explained = new Map<string, Health>();
  const toExplain = new Set(unwell.slice(0, mostExplained).map(({ manifest }) => manifest.key));
  for (const { manifest } of [...unwell, ...late]) {
    const { key } = manifest;
    const progressingSince = progress.get(key);
    const reading = toExplain.has(key) || progressingSince !== undefined ? watch.sight(key)?.reading() : undefined;
    if (reading?.type !== 'live') continue;
    // What cannot be asked for is no worse than before.
    const pods = toExplain.has(key) ? await cluster.podsOf(reading.live.object, signal).catch((): readonly KubeObject[] => []) : [];
    explained.set(key, healthOf(reading.live.object, { pods, ...(progressingSince !== undefined && { progressingSince }) }));
  }
  return (key) => explained.get(key) ?? health(key);
}

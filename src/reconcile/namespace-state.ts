import { resourceKey, type Application, type ServedKind } from '../model/index.ts';
import type { PlanInput } from '../plan/index.ts';
import type { ClusterPort } from './ports.ts';

export const namespaceKind: ServedKind = { group: '', version: 'v1', kind: 'Namespace', resource: 'namespaces', namespaced: false, hasStatus: true };

/** Of the application's own namespace. Asked for only where a sync would make it. */
export async function namespaceState({ destination: { namespace: name }, syncOptions }: Application, cluster: Pick<ClusterPort, 'read'>, signal: AbortSignal): Promise<PlanInput['namespace']['state']> {
  if (!syncOptions.includes('CreateNamespace=true')) return 'unknown';
  const manifest = { key: resourceKey({ group: '', kind: 'Namespace', namespace: '', name }), object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, origin: '' };
  const reading = await cluster.read({ manifest, kind: namespaceKind }, signal);
  if (reading.type === 'unknown') return 'unknown';
  if (reading.type === 'absent') return 'missing';
  return reading.live.object.metadata['deletionTimestamp'] === undefined ? 'there' : 'terminating';
}

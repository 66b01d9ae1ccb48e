import { applicationKind, resourceKey, SetpointError, type Application, type ServedKind } from '../model/index.ts';
import type { ClusterPort, Target } from './ports.ts';

const definitionKind: ServedKind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition', resource: 'customresourcedefinitions', namespaced: false, hasStatus: true };
const name = `${applicationKind.resource}.${applicationKind.group}`;
const definition: Target = {
  kind: definitionKind,
  manifest: { key: resourceKey({ group: definitionKind.group, kind: definitionKind.kind, namespace: '', name }), object: { apiVersion: 'apiextensions.k8s.io/v1', kind: definitionKind.kind, metadata: { name } }, origin: '' },
};

type Leaving = Pick<Application, 'deletionPolicy' | 'isHeld' | 'deleting'>;

/**
 * Why an application that is being deleted leaves its objects, though Kubernetes waits for us; undefined where they go with it. The finalizer says
 * only what was asked for once. Whoever deletes the definition of Applications deletes every one of them, and has asked for no workload to go.
 */
export async function whyOrphaned({ deletionPolicy, isHeld = false, deleting }: Leaving, { read }: Pick<ClusterPort, 'read'>, signal: AbortSignal): Promise<string | undefined> {
  if (!deleting || !isHeld) return undefined;
  if (deletionPolicy !== 'Cascade') return 'its deletionPolicy is Orphan by now';
  const reading = await read(definition, signal);
  if (reading.type === 'live') return reading.live.object.metadata['deletionTimestamp'] === undefined ? undefined : `the definition ${name} is being deleted, and every Application with it`;
  if (reading.type === 'absent') return `the definition ${name} is gone`;
  if (reading.code === 'Forbidden') return `whether the definition ${name} is being deleted, and every Application with it, may not be read`;
  throw new SetpointError(reading.code, `nothing is deleted before it is known whether the definition ${name} is: ${reading.message}`);
}

import { applicationKind, resourceKey, trackingAnnotation, valueAt, type Application, type ResourceKey } from '../model/index.ts';
import { adoption, readMarks, trackedApplication } from '../plan/index.ts';
import type { LiveObjects } from './live-objects.ts';
import type { ClusterPort, Target } from './ports.ts';

interface Adopting {
  readonly application: Application;
  readonly declared: readonly Target[];
  readonly objects: LiveObjects;
}

/**
 * Applications that marked what is to be adopted, and that the server says are no more. Nobody is asked where nothing is to be adopted; one that is not in the
 * cluster itself cannot tell those that are gone from those that are in a file, too.
 */
export async function goneApplications({ application, declared, objects }: Adopting, { read }: Pick<ClusterPort, 'read'>, signal: AbortSignal): Promise<ReadonlySet<string>> {
  if (application.uid === undefined) return new Set();
  const owners = new Set(declared.flatMap(({ manifest: { key, object } }) => (adoption(readMarks(object), application) === 'true' ? (ownerOf(key, objects) ?? []) : [])));
  owners.delete(application.id);
  const gone = new Set<string>();
  for (const owner of owners) {
    const target = targetOf(owner);
    if (target !== undefined && (await read(target, signal)).type === 'absent') gone.add(owner);
  }
  return gone;
}

function ownerOf(key: ResourceKey, objects: LiveObjects): string | undefined {
  const mark = valueAt(objects.get(key) ?? null, ['metadata', 'annotations', trackingAnnotation]);
  return typeof mark === 'string' ? trackedApplication(mark, key) : undefined;
}

function targetOf(id: string): Target | undefined {
  const [namespace = '', name = '', ...rest] = id.split('/');
  if (namespace === '' || name === '' || rest.length > 0) return undefined;
  const { group, version, kind } = applicationKind;
  return { kind: applicationKind, manifest: { key: resourceKey({ group, kind, namespace, name }), object: { apiVersion: `${group}/${version}`, kind, metadata: { name, namespace } }, origin: '' } };
}

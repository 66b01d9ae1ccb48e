import type { Cluster, Target } from '../cluster/index.ts';
import { groupOf, parseResourceKey, resourceKey, SetpointError, type Application, type Inventory, type KubeObject, type ResourceKey, type ServedKind } from '../model/index.ts';

export type Reader = Pick<Cluster, 'discover' | 'read'>;

interface Wanted {
  readonly targets: readonly Target[];
  /** Of the inventory, and declared no more. */
  readonly left: readonly ResourceKey[];
  readonly inventory: Inventory;
}

/** Objects as they are live; what is not there is not in it. Throws where one cannot be read: it is not known to be gone. */
export async function readLive({ targets, left, inventory }: Wanted, cluster: Reader, signal: AbortSignal): Promise<ReadonlyMap<ResourceKey, KubeObject>> {
  const objects = new Map<ResourceKey, KubeObject>();
  for (const target of [...targets, ...(await leftTargets(left, inventory, () => cluster.discover(signal)))]) {
    const reading = await cluster.read(target, signal);
    if (reading.type === 'unknown') throw new SetpointError(reading.code, `${target.manifest.key} cannot be read, and no plan is made without it: ${reading.message}`);
    if (reading.type === 'live') objects.set(target.manifest.key, reading.live.object);
  }
  return objects;
}

type Kinds = Awaited<ReturnType<Reader['discover']>>;

async function leftTargets(left: readonly ResourceKey[], inventory: Inventory, discover: () => Promise<Kinds>): Promise<readonly Target[]> {
  if (left.length === 0) return [];
  const { lookUp } = await discover();
  return left.flatMap((key) => targetOf(key, inventory[key]?.version ?? '', lookUp));
}

/** In whatever version its group is served now. A kind that is served no more has no objects. */
function targetOf(key: ResourceKey, version: string, lookUp: Kinds['lookUp']): readonly Target[] {
  const { group, kind, namespace, name } = parseResourceKey(key);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const found = lookUp(apiVersion, kind);
  if (found.type === 'unavailable') throw new SetpointError('ClusterError', `the API group of ${apiVersion} does not answer`);
  if (found.type === 'not-served') {
    const other = found.servedAs.find((served) => groupOf(served) === group && served !== apiVersion);
    return other === undefined ? [] : targetOf(key, other.split('/').at(-1) ?? '', lookUp);
  }
  return [{ manifest: { key, object: { apiVersion, kind, metadata: { name, ...(namespace !== '' && { namespace }) } }, origin: '' }, kind: found.kind }];
}

const namespaceKind: ServedKind = { group: '', version: 'v1', kind: 'Namespace', resource: 'namespaces', namespaced: false, hasStatus: true };

/** Asked for only where a sync would make it. */
export async function namespaceState({ destination: { namespace: name }, syncOptions }: Application, cluster: Reader, signal: AbortSignal): Promise<'there' | 'missing' | 'terminating' | 'unknown'> {
  if (!syncOptions.includes('CreateNamespace=true')) return 'unknown';
  const manifest = { key: resourceKey({ group: '', kind: 'Namespace', namespace: '', name }), object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, origin: '' };
  const reading = await cluster.read({ manifest, kind: namespaceKind }, signal);
  if (reading.type === 'unknown') return 'unknown';
  if (reading.type === 'absent') return 'missing';
  return reading.live.object.metadata['deletionTimestamp'] === undefined ? 'there' : 'terminating';
}

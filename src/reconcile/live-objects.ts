import { groupOf, parseResourceKey, SetpointError, type Inventory, type KubeObject, type ResourceKey } from '../model/index.ts';
import type { ClusterPort, Ports, ServedKinds, Target } from './ports.ts';

/** Objects as they are live; what is not there is not in it. */
export type LiveObjects = ReadonlyMap<ResourceKey, KubeObject>;

interface Wanted {
  readonly applicationId: string;
  /** Compared a moment ago. */
  readonly declared: readonly Target[];
  /** Not watched: they come and go with a sync. */
  readonly others: readonly Target[];
}

/** Throws where one of the others cannot be read: what is not known to be there is not known to be gone. */
export async function liveObjects({ applicationId, declared, others }: Wanted, { cluster, standing }: Pick<Ports, 'cluster' | 'standing'>, signal: AbortSignal): Promise<LiveObjects> {
  const { watch } = standing.of(applicationId);
  const objects = new Map<ResourceKey, KubeObject>();
  for (const target of declared) {
    const reading = watch.sight(target.manifest.key)?.reading() ?? (await cluster.read(target, signal));
    if (reading.type === 'live') objects.set(target.manifest.key, reading.live.object);
  }
  return new Map([...objects, ...(await readObjects(others, cluster, signal))]);
}

/** Asks for each of them. Throws where one cannot be read: it is not known to be gone. */
export async function readObjects(targets: readonly Target[], cluster: Pick<ClusterPort, 'read'>, signal: AbortSignal): Promise<LiveObjects> {
  const objects = new Map<ResourceKey, KubeObject>();
  for (const target of targets) {
    const reading = await cluster.read(target, signal);
    if (reading.type === 'unknown') throw new SetpointError(reading.code, `${target.manifest.key} cannot be read, and no plan is made without it: ${reading.message}`);
    if (reading.type === 'live') objects.set(target.manifest.key, reading.live.object);
  }
  return objects;
}

interface Applied {
  readonly inventory: Inventory;
  readonly declared: ReadonlySet<ResourceKey>;
}

/** What was applied once and is declared no more, as something that can be read and deleted. Kinds that are no longer served have no objects. */
export async function leftBehind({ inventory, declared }: Applied, cluster: Pick<ClusterPort, 'discover'>, signal: AbortSignal): Promise<readonly Target[]> {
  const left = (Object.keys(inventory) as ResourceKey[]).filter((key) => !declared.has(key));
  if (left.length === 0) return [];
  const { lookUp } = await cluster.discover(signal);
  return left.flatMap((key) => targetAt(key, inventory[key]?.version ?? '', lookUp));
}

function targetAt(key: ResourceKey, version: string, lookUp: ServedKinds['lookUp']): readonly Target[] {
  const { group, kind, namespace, name } = parseResourceKey(key);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const found = lookUp(apiVersion, kind);
  if (found.type === 'unavailable') throw new SetpointError('ClusterError', `the API group of ${apiVersion} does not answer`);
  if (found.type === 'not-served') {
    const other = found.servedAs.find((served) => groupOf(served) === group);
    return other === undefined || other === apiVersion ? [] : targetAt(key, other.split('/').at(-1) ?? '', lookUp);
  }
  const object = { apiVersion, kind, metadata: { name, ...(namespace === '' ? {} : { namespace }) } };
  return [{ manifest: { key, object, origin: '' }, kind: found.kind }];
}

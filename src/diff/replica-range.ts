import { groupOf, valueAt, type KubeObject } from '../model/index.ts';

/** How many replicas an autoscaler may give an object. */
export interface ReplicaRange {
  readonly autoscaler: string;
  readonly least: number;
  readonly most: number;
}

/** Of the autoscaler in the same namespace that scales the object; undefined where none does. */
export function replicaRange(object: KubeObject, autoscalers: readonly KubeObject[]): ReplicaRange | undefined {
  const found = autoscalers.find((autoscaler) => scales(autoscaler, object));
  if (found === undefined) return undefined;
  const [least, most] = [numberAt(found, ['spec', 'minReplicas']) ?? 1, numberAt(found, ['spec', 'maxReplicas'])];
  return most === undefined ? undefined : { autoscaler: found.metadata.name, least, most };
}

/** Whether Git and the cluster have other numbers of replicas, and the one in the cluster is for an autoscaler to choose. */
export function isScaled(desired: KubeObject, live: KubeObject, { least, most }: ReplicaRange): boolean {
  const replicas = replicasOf(live);
  return differInReplicas(desired, live) && replicas !== undefined && replicas >= least && replicas <= most;
}

export function differInReplicas(desired: KubeObject, live: KubeObject): boolean {
  const [wanted, present] = [replicasOf(desired), replicasOf(live)];
  return wanted !== undefined && present !== undefined && wanted !== present;
}

export const replicasPointer = '/spec/replicas';

function replicasOf(object: KubeObject): number | undefined {
  return numberAt(object, ['spec', 'replicas']);
}

function scales(autoscaler: KubeObject, { apiVersion, kind, metadata }: KubeObject): boolean {
  const [version, scaled, name] = ['apiVersion', 'kind', 'name'].map((field) => valueAt(autoscaler, ['spec', 'scaleTargetRef', field]));
  const isSame = scaled === kind && name === metadata.name && groupOf(typeof version === 'string' ? version : '') === groupOf(apiVersion);
  return isSame && autoscaler.metadata.namespace === metadata.namespace && autoscaler.metadata['deletionTimestamp'] === undefined;
}

function numberAt(object: KubeObject, path: readonly string[]): number | undefined {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : undefined;
}

import { isObject, valueAt, type Json, type KubeObject } from '../../src/model/index.ts';

type Check = (status: (name: string) => number, spec: Json | undefined) => boolean;

const replicasOf = (spec: Json | undefined): number => Number(valueAt(spec ?? null, ['replicas']) ?? 1);

const checks: Readonly<Record<string, Check>> = {
  Deployment: (status, spec) => status('updatedReplicas') >= replicasOf(spec) && status('availableReplicas') >= replicasOf(spec),
  StatefulSet: (status, spec) => status('updatedReplicas') >= replicasOf(spec) && status('availableReplicas') >= replicasOf(spec),
  DaemonSet: (status) => status('numberAvailable') >= status('desiredNumberScheduled'),
};

/** Whether controllers have something to do for objects of the kind. */
export function settles(kind: string): boolean {
  return kind === 'PersistentVolumeClaim' || Object.hasOwn(checks, kind);
}

/** Whether the controllers have done what the object's spec says. */
export function isSettled(object: KubeObject): boolean {
  const { kind, spec, status, metadata } = object;
  if (kind === 'PersistentVolumeClaim') return valueAt(status ?? null, ['phase']) === 'Bound';
  if (!isObject(status) || Number(status['observedGeneration'] ?? 0) < Number(metadata['generation'])) return false;
  return checks[kind]?.((name) => Number(status[name] ?? 0), spec) ?? true;
}

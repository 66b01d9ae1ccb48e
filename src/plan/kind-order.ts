import { parseResourceKey, type ResourceKey } from '../model/index.ts';

/** What others need comes first; what judges others comes last. Kinds not named here are applied in between. */
const order: Readonly<Record<string, number>> = {
  '/Namespace': 0,
  'apiextensions.k8s.io/CustomResourceDefinition': 1,
  'scheduling.k8s.io/PriorityClass': 2,
  'storage.k8s.io/StorageClass': 2,
  '/ResourceQuota': 3,
  '/LimitRange': 3,
  '/ServiceAccount': 4,
  'rbac.authorization.k8s.io/ClusterRole': 5,
  'rbac.authorization.k8s.io/Role': 5,
  'rbac.authorization.k8s.io/ClusterRoleBinding': 6,
  'rbac.authorization.k8s.io/RoleBinding': 6,
  '/Secret': 7,
  '/ConfigMap': 7,
  '/PersistentVolume': 8,
  '/PersistentVolumeClaim': 9,
  '/Service': 10,
  'apiregistration.k8s.io/APIService': 90,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': 91,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': 92,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': 93,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': 93,
};
const unnamed = 50;

export function inApplyOrder(a: ResourceKey, b: ResourceKey): number {
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** What needs others goes before them. */
export function inPruneOrder(a: ResourceKey, b: ResourceKey): number {
  return inApplyOrder(b, a);
}

function rank(key: ResourceKey): number {
  const { group, kind } = parseResourceKey(key);
  return order[`${group}/${kind}`] ?? unnamed;
}

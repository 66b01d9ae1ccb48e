import { parseResourceKey, type ResourceKey } from '../model/index.ts';

/**
 * What others need comes first, in the order of Argo CD; kinds not named here, custom resources above all, come after those that may be their controllers. Otherwise than there,
 * definitions are among the first, and what judges or serves other requests is the last of all.
 */
const order: Readonly<Record<string, number>> = {
  '/Namespace': 0,
  'apiextensions.k8s.io/CustomResourceDefinition': 1,
  'scheduling.k8s.io/PriorityClass': 2,
  'storage.k8s.io/StorageClass': 2,
  // Before the first pod: nothing is reachable that is not meant to be.
  'networking.k8s.io/NetworkPolicy': 2,
  '/ResourceQuota': 3,
  '/LimitRange': 3,
  'policy/PodDisruptionBudget': 3,
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
  'apps/DaemonSet': 11,
  '/Pod': 12,
  '/ReplicationController': 13,
  'apps/ReplicaSet': 14,
  'apps/Deployment': 15,
  'autoscaling/HorizontalPodAutoscaler': 16,
  'apps/StatefulSet': 17,
  'batch/Job': 18,
  'batch/CronJob': 19,
  'networking.k8s.io/IngressClass': 20,
  'networking.k8s.io/Ingress': 21,
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

import { groupOf, type KubeObject } from '../model/index.ts';
import type { Assess } from './assessment.ts';
import { healthByConditions } from './by-conditions.ts';
import { apiServiceHealth, definitionHealth } from './kinds/api-extension.ts';
import { autoscalerHealth } from './kinds/autoscaler.ts';
import { daemonSetHealth } from './kinds/daemon-set.ts';
import { deploymentHealth } from './kinds/deployment.ts';
import { disruptionBudgetHealth } from './kinds/disruption-budget.ts';
import { cronJobHealth, jobHealth } from './kinds/job.ts';
import { ingressHealth, serviceHealth } from './kinds/network.ts';
import { podHealth } from './kinds/pod.ts';
import { replicaSetHealth } from './kinds/replica-set.ts';
import { statefulSetHealth } from './kinds/stateful-set.ts';
import { volumeClaimHealth } from './kinds/volume-claim.ts';

const kinds: ReadonlyMap<string, Assess> = new Map<string, Assess>([
  ['/Pod', podHealth],
  ['/ReplicationController', replicaSetHealth],
  ['/Service', serviceHealth],
  ['/PersistentVolumeClaim', volumeClaimHealth],
  ['apps/Deployment', deploymentHealth],
  ['apps/StatefulSet', statefulSetHealth],
  ['apps/DaemonSet', daemonSetHealth],
  ['apps/ReplicaSet', replicaSetHealth],
  ['batch/Job', jobHealth],
  ['batch/CronJob', cronJobHealth],
  ['networking.k8s.io/Ingress', ingressHealth],
  ['autoscaling/HorizontalPodAutoscaler', autoscalerHealth],
  ['policy/PodDisruptionBudget', disruptionBudgetHealth],
  ['apiregistration.k8s.io/APIService', apiServiceHealth],
  ['apiextensions.k8s.io/CustomResourceDefinition', definitionHealth],
]);

/** The rule of the object's kind; the conventions where it has none. */
export function healthByKind({ apiVersion, kind }: KubeObject): Assess {
  return kinds.get(`${groupOf(apiVersion)}/${kind}`) ?? healthByConditions;
}

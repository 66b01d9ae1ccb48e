import type { KubeObject } from '../../model/index.ts';
import type { Assessment } from '../assessment.ts';
import { conditionText, conditionWith } from '../conditions.ts';
import { messageText } from '../message-text.ts';
import { notYetObserved } from '../observed.ts';
import { numberAt } from '../read-object.ts';

/** Of a ReplicaSet, and of a ReplicationController, which says the same of itself. */
export function replicaSetHealth(set: KubeObject): Assessment {
  const unseen = notYetObserved(set);
  if (unseen !== undefined) return unseen;
  const [failure] = replicaFailure(set);
  if (failure !== undefined) return { status: 'Degraded', message: failure };
  const [wanted, available] = [numberAt(set, 'spec.replicas') ?? 1, numberAt(set, 'status.availableReplicas') ?? 0];
  if (available >= wanted) return { status: 'Healthy' };
  return { status: 'Progressing', message: `${available} of ${wanted} pods are available` };
}

/** Pods that the server does not let it create: a quota, a policy, a webhook. */
export function replicaFailure(object: KubeObject): readonly string[] {
  const failure = conditionWith(object, 'ReplicaFailure', 'True');
  return failure === undefined ? [] : [`pods cannot be created: ${messageText(conditionText(failure), 300)}`];
}

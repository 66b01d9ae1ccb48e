import type { KubeObject } from '../../model/index.ts';
import type { Assessment } from '../assessment.ts';
import { conditionOf } from '../conditions.ts';
import { notYetObserved } from '../observed.ts';
import { isTrueAt, numberAt, textAt } from '../read-object.ts';
import { replicaFailure } from './replica-set.ts';

// The API's word for "no deadline": the largest number of the field's type.
const noDeadline = 2_147_483_647;

export function deploymentHealth(deployment: KubeObject): Assessment {
  if (isTrueAt(deployment, 'spec.paused')) return { status: 'Suspended', message: 'paused: changes are not rolled out' };
  const unseen = notYetObserved(deployment);
  if (unseen !== undefined) return unseen;
  const progress = conditionOf(deployment, 'Progressing');
  const why = replicaFailure(deployment);
  if (textAt(progress, 'reason') === 'ProgressDeadlineExceeded') {
    const seconds = numberAt(deployment, 'spec.progressDeadlineSeconds') ?? 600;
    return { status: 'Degraded', message: [`its roll-out made no progress for ${seconds} s`, ...counts(deployment), ...why].join('; ') };
  }
  const [missing] = counts(deployment);
  if (missing === undefined) return { status: 'Healthy' };
  const message = [missing, ...why].join('; ');
  // Its controller has a deadline for a roll-out. It has none for pods that fail after it.
  const hasOwnDeadline = progress !== undefined && textAt(progress, 'reason') !== 'NewReplicaSetAvailable';
  const isOpenEnded = numberAt(deployment, 'spec.progressDeadlineSeconds') === noDeadline;
  return hasOwnDeadline || isOpenEnded ? { status: 'Progressing', message, overdue: 'never' } : { status: 'Progressing', message };
}

function counts(deployment: KubeObject): readonly string[] {
  const wanted = numberAt(deployment, 'spec.replicas') ?? 1;
  const [all = 0, updated = 0, available = 0] = ['replicas', 'updatedReplicas', 'availableReplicas'].map((field) => numberAt(deployment, `status.${field}`));
  if (updated < wanted) return [`${updated} of ${wanted} pods have the new template`];
  if (all > updated) return [`${all - updated} old pods are still to go`];
  if (available < updated) return [`${available} of ${wanted} pods are available`];
  return [];
}

import type { KubeObject } from '../../model/index.ts';
import type { Assessment } from '../assessment.ts';
import { conditionOf } from '../conditions.ts';
import { textAt } from '../read-object.ts';

export function podHealth(pod: KubeObject): Assessment {
  const ready = conditionOf(pod, 'Ready');
  const since = textAt(ready, 'lastTransitionTime') ?? textAt(pod, 'metadata.creationTimestamp');
  switch (textAt(pod, 'status.phase') ?? 'Pending') {
    case 'Succeeded':
      return { status: 'Healthy' };
    case 'Failed':
      return { status: 'Degraded' };
    case 'Unknown':
      return { status: 'Unknown', message: 'its node does not answer' };
    case 'Running':
      // It is there to end, and nobody said when.
      if (textAt(pod, 'spec.restartPolicy') !== 'Always') return { status: 'Progressing', message: 'running', overdue: 'never' };
      return ready?.['status'] === 'True' ? { status: 'Healthy' } : { status: 'Progressing', since };
    default:
      return { status: 'Progressing', message: 'pending', since };
  }
}

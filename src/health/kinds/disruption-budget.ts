import type { KubeObject } from '../../model/index.ts';
import type { Assessment } from '../assessment.ts';
import { conditionOf, conditionText } from '../conditions.ts';
import { messageText } from '../message-text.ts';
import { notYetObserved } from '../observed.ts';
import { numberAt, textAt } from '../read-object.ts';

export function disruptionBudgetHealth(budget: KubeObject): Assessment {
  const unseen = notYetObserved(budget);
  if (unseen !== undefined) return unseen;
  const condition = conditionOf(budget, 'DisruptionAllowed');
  if (condition !== undefined && textAt(condition, 'reason') === 'SyncFailed') {
    return { status: 'Degraded', message: messageText(conditionText(condition), 400) };
  }
  if ((numberAt(budget, 'status.disruptionsAllowed') ?? 0) > 0) return { status: 'Healthy' };
  // It does what it is there for. That pods are missing is theirs to say.
  const [healthy = 0, wanted = 0] = ['currentHealthy', 'desiredHealthy'].map((field) => numberAt(budget, `status.${field}`));
  return { status: 'Healthy', message: `allows no disruption now: ${healthy} pods are healthy, ${wanted} have to be` };
}

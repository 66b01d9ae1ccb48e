import type { JsonObject, KubeObject } from '../model/index.ts';
import type { Assessment } from './assessment.ts';
import { conditionOf, conditionText, conditionWith } from './conditions.ts';
import { messageText } from './message-text.ts';
import { notObserved } from './observed.ts';
import { numberAt, textAt } from './read-object.ts';

/** A kind that is not known here, by the conventions of kstatus. One that says nothing of itself is well. */
export function healthByConditions(object: KubeObject): Assessment {
  const unseen = notObserved(object);
  if (unseen !== undefined) return unseen;
  const broken = ['Stalled', 'Failed', 'Degraded'].map((type) => conditionWith(object, type, 'True')).find((condition) => condition !== undefined);
  if (broken !== undefined) return { status: 'Degraded', message: textOf(broken) };
  const progress = conditionOf(object, 'Progressing');
  if (textAt(progress, 'reason') === 'ProgressDeadlineExceeded' && progress !== undefined) return { status: 'Degraded', message: textOf(progress) };
  const reconciling = conditionWith(object, 'Reconciling', 'True');
  if (reconciling !== undefined) return { status: 'Progressing', message: textOf(reconciling) };
  const main = conditionOf(object, 'Ready') ?? conditionOf(object, 'Available');
  if (main !== undefined) return byMain(object, main);
  return progress?.['status'] === 'True' ? { status: 'Progressing', message: textOf(progress) } : { status: 'Healthy' };
}

function byMain(object: KubeObject, condition: JsonObject): Assessment {
  const [wanted, seen] = [numberAt(object, 'metadata.generation'), numberAt(condition, 'observedGeneration')];
  if (wanted !== undefined && seen !== undefined && seen < wanted) {
    return { status: 'Progressing', message: `its ${textAt(condition, 'type') ?? ''} is about an older spec` };
  }
  return condition['status'] === 'True' ? { status: 'Healthy' } : { status: 'Progressing', message: textOf(condition) };
}

function textOf(condition: JsonObject): string {
  const [type, status] = [textAt(condition, 'type') ?? '', textAt(condition, 'status') ?? ''];
  return messageText([`${type} is ${status}`, conditionText(condition)].filter((part) => part !== '').join(': '), 450);
}

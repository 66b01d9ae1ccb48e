import { isList, isObject, parseJsonOrUndefined, valueAt, type JsonObject, type KubeObject } from '../../model/index.ts';
import type { Assessment } from '../assessment.ts';
import { conditionText } from '../conditions.ts';
import { messageText } from '../message-text.ts';
import { childText, objectsAt, textAt } from '../read-object.ts';

/** Reasons that no waiting mends. */
const wrong = new Set(['InvalidSelector', 'InvalidMetricSourceType']);
/** Reasons why it may not scale just now, and is none the worse for it. */
const fine = new Set(['BackoffBoth', 'BackoffDownscale', 'BackoffUpscale']);

export function autoscalerHealth(autoscaler: KubeObject): Assessment {
  const conditions = conditionsOf(autoscaler);
  const no = ['AbleToScale', 'ScalingActive']
    .map((type) => conditions.find((condition) => condition['type'] === type && condition['status'] === 'False'))
    .find((condition) => condition !== undefined && !fine.has(textAt(condition, 'reason') ?? ''));
  if (no !== undefined) return notScaling(no);
  const isScaling = conditions.some((condition) => condition['type'] === 'ScalingActive' && condition['status'] === 'True');
  return isScaling ? { status: 'Healthy' } : { status: 'Progressing', message: 'has read no metrics yet' };
}

function notScaling(condition: JsonObject): Assessment {
  const [reason, message] = [textAt(condition, 'reason') ?? '', messageText(conditionText(condition), 400)];
  if (reason === 'ScalingDisabled') return { status: 'Suspended', message };
  if (wrong.has(reason)) return { status: 'Degraded', message };
  // New pods have no metrics for a minute or two.
  return { status: 'Progressing', message, since: textAt(condition, 'lastTransitionTime') };
}

/** autoscaling/v1 has no field for them: the server writes them into an annotation. */
function conditionsOf(autoscaler: KubeObject): readonly JsonObject[] {
  const annotation = childText(valueAt(autoscaler, ['metadata', 'annotations']), 'autoscaling.alpha.kubernetes.io/conditions');
  const listed = annotation === undefined ? undefined : parseJsonOrUndefined(annotation);
  return isList(listed) ? listed.filter(isObject) : objectsAt(autoscaler, 'status.conditions');
}

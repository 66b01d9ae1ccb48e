import type { KubeObject } from '../../model/index.ts';
import type { Assessment } from '../assessment.ts';
import { conditionText, conditionWith } from '../conditions.ts';
import { messageText } from '../message-text.ts';
import { podTrouble } from '../pod-trouble.ts';
import { isTrueAt, numberAt, objectsAt, textAt } from '../read-object.ts';

export function jobHealth(job: KubeObject, pods: readonly KubeObject[]): Assessment {
  const failed = conditionWith(job, 'Failed', 'True');
  if (failed !== undefined) return { status: 'Degraded', message: messageText(conditionText(failed) || 'failed', 300) };
  if (conditionWith(job, 'Complete', 'True') !== undefined) return { status: 'Healthy' };
  if (isTrueAt(job, 'spec.suspend') || conditionWith(job, 'Suspended', 'True') !== undefined) return { status: 'Suspended', message: 'suspended' };
  const failing = conditionWith(job, 'FailureTarget', 'True');
  if (failing !== undefined) return { status: 'Progressing', message: `is about to fail: ${messageText(conditionText(failing), 300)}` };
  const [wanted, done] = [numberAt(job, 'spec.completions'), numberAt(job, 'status.succeeded') ?? 0];
  const message = wanted === undefined || wanted === 1 ? 'running' : `${done} of ${wanted} completions`;
  // A Job may run for hours and counts its failures itself. Only one that cannot begin has no end.
  return podTrouble(pods)?.type === 'stuck' ? { status: 'Progressing', message } : { status: 'Progressing', message, overdue: 'never' };
}

export function cronJobHealth(cronJob: KubeObject): Assessment {
  if (isTrueAt(cronJob, 'spec.suspend')) return { status: 'Suspended', message: 'suspended' };
  const [scheduled, succeeded] = [textAt(cronJob, 'status.lastScheduleTime'), textAt(cronJob, 'status.lastSuccessfulTime')];
  const isRunning = objectsAt(cronJob, 'status.active').length > 0;
  // Both are written in one update, so a Job that ended and is not in one of them has failed.
  if (scheduled === undefined || isRunning || (succeeded !== undefined && Date.parse(succeeded) >= Date.parse(scheduled))) return { status: 'Healthy' };
  const last = succeeded === undefined ? 'none has yet' : `the last that did ended at ${messageText(succeeded, 40)}`;
  return { status: 'Degraded', message: `its Job of ${messageText(scheduled, 40)} did not succeed; ${last}` };
}

import { groupOf, type Health, type KubeObject } from '../model/index.ts';
import type { Assessment } from './assessment.ts';
import { beingDeleted } from './being-deleted.ts';
import { healthByKind } from './health-by-kind.ts';
import { messageText } from './message-text.ts';
import { podTrouble, type PodTrouble } from './pod-trouble.ts';
import type { HealthRules } from './rules/compile-health-rules.ts';

const defaultDeadlineMs = 10 * 60_000;

export interface HealthContext {
  readonly now: Date;
  readonly rules?: HealthRules;
  /** Since when it is seen as Progressing, if it is. */
  readonly progressingSince?: Date;
  /** Live pods owned by it, directly or through a ReplicaSet or Job, where they are known. */
  readonly pods?: readonly KubeObject[];
  /** After how long Progressing is Degraded. */
  readonly deadlineMs?: number;
}

/** Whether a live object is well and, if not, why. */
export function healthOf(object: KubeObject, context: HealthContext): Health {
  const pods = object.kind === 'Pod' && groupOf(object.apiVersion) === '' ? [object] : (context.pods ?? []);
  const assessment = beingDeleted(object) ?? context.rules?.assess(object, context.now) ?? healthByKind(object)(object, pods);
  const isIll = assessment.status === 'Progressing' || assessment.status === 'Degraded';
  const trouble = isIll ? podTrouble(pods) : undefined;
  const lateMs = assessment.status === 'Progressing' ? howLate(assessment, trouble, context) : undefined;
  const parts = [assessment.message, trouble?.text].filter((part) => part !== undefined && part !== '');
  const message = messageText(`${lateMs === undefined ? '' : `for ${inWords(lateMs)}: `}${parts.join('; ')}`);
  const found: Health = lateMs === undefined ? { status: assessment.status } : { status: 'Degraded', isOverdue: true };
  return message === '' ? found : { ...found, message };
}

/** For how long it is Progressing, where that is longer than it may be. */
function howLate(assessment: Assessment, trouble: PodTrouble | undefined, context: HealthContext): number | undefined {
  if (assessment.overdue === 'never') return undefined;
  const { now, progressingSince, deadlineMs = defaultDeadlineMs } = context;
  const own = assessment.since === undefined ? Number.NaN : Date.parse(assessment.since);
  const since = Number.isNaN(own) ? (progressingSince?.getTime() ?? now.getTime()) : own;
  // A program that ends again and again is up for a moment in between, and its pods well: their age tells.
  const made = trouble?.lasting === true ? Date.parse(trouble.since ?? '') : Number.NaN;
  const lasted = now.getTime() - Math.min(since, Number.isNaN(made) ? since : made);
  return lasted >= deadlineMs ? lasted : undefined;
}

function inWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.floor(ms / 1000)} s`;
  if (minutes < 120) return `${minutes} min`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
}

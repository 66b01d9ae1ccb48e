import { isPaused, type Application, type AppStatus, type Operation, type ResourceKey } from '../model/index.ts';
import type { Observed } from './next-status.ts';
import { patienceMs } from './explain-health.ts';
import { isBlind, type Observation } from './observe.ts';
import { isUnderWay, pendingRequest } from './operation.ts';
import { retryInMs } from './try-again.ts';

/** What the one who asked for a look needs to know to ask for the next one. */
export interface Reconciled {
  /** Another look should follow soon, without waiting for a trigger. */
  readonly lookAgainSoon: boolean;
  /** A sync waits for something: another look should follow after this time. */
  readonly waitMs?: number;
  /** What was looked at, where something was. */
  readonly declared: readonly ResourceKey[] | undefined;
  readonly status: Observed;
}

const waitMs = 2_000;
/** Until a window may have opened, a fight may be over, another application may no longer declare what is left, or the pods of what is on its way may say something else. */
const slowMs = 30_000;

interface Finish {
  readonly status: Observed;
  readonly observation: Observation;
  readonly operation: Operation | null;
  readonly before: AppStatus;
}

/** When the next look is due, if not by a trigger. */
export function nextLook(application: Application, { status, observation, operation, before }: Finish, now: Date): Reconciled {
  const { targets, retrySoon } = observation;
  const wasBlind = isBlind(observation);
  // What is paused goes on when the pause ends, and what cannot be read when Git says something else: both ask for a look.
  const isStopped = !application.deleting && (wasBlind || isPaused(application.pause, now));
  const isUnsettled = status.held.some(({ code }) => code === 'NotSettled');
  // Two looks have not settled it: a third a moment later hardly does.
  const isUnstable = isUnsettled && before.rendered === status.rendered;
  const isWaiting = !isStopped && (isUnderWay(operation) || (isUnsettled && !isUnstable) || hasLeftRest(operation, status, before));
  const mayTurn = isUnstable || status.held.some(({ code }) => code === 'OutsideWindow' || code === 'Fighting' || code === 'DeclaredElsewhere') || status.health?.status === 'Progressing';
  const isNew = status.unhealthy.some((resource) => resource.status === 'Progressing' && now.getTime() - Date.parse(resource.since) < patienceMs);
  // What failed is tried again.
  const retryMs = status.verdict.status === 'OutOfSync' ? retryInMs(status, application, now) : undefined;
  const goesOn = isReplaced(operation, before) || hasUnpinned(status, before);
  const dueMs = [...(mayTurn ? [isNew ? patienceMs : slowMs] : []), ...(retryMs !== undefined && retryMs > 0 ? [retryMs] : [])];
  return {
    // What comes next is another thing than what may have failed.
    lookAgainSoon: !goesOn && (retrySoon || (retryMs !== undefined && retryMs <= 0)),
    ...(goesOn || isAskedFor(application, status, before) ? { waitMs: 0 } : isWaiting && !retrySoon ? { waitMs } : dueMs.length > 0 ? { waitMs: Math.min(...dueMs) } : {}),
    status,
    declared: wasBlind ? undefined : targets.map(({ manifest }) => manifest.key),
  };
}

/** Somebody waits whose turn it is now, or the look was about a commit that only a request wanted. */
function isAskedFor(application: Application, status: AppStatus, before: AppStatus): boolean {
  if (pendingRequest(application, status) !== undefined) return true;
  return application.sync?.revision !== undefined && status.answered?.request === application.sync.id && before.answered?.request !== application.sync.id && !isUnderWay(status.operation);
}

/** A sync is over, and was not for all of it, or not all could be compared by then: that comes next, and nothing else may ask for it. */
function hasLeftRest(operation: Operation | null, { held }: AppStatus, { operation: earlier }: AppStatus): boolean {
  if (operation?.endedAt === undefined || (earlier?.id === operation.id && earlier.endedAt !== undefined)) return false;
  return operation.request?.resources !== undefined || held.some(({ code }) => code === 'NotSelected' || code === 'NotCompared');
}

/** A newer commit or somebody has ended it in this look: what is wanted now is found out by the next one. */
function isReplaced(operation: Operation | null, { operation: earlier }: AppStatus): boolean {
  return operation?.state === 'terminated' && (earlier?.id !== operation.id || isUnderWay(earlier));
}

/** What was looked at last is a commit that only a request wanted, and the request has had its way. */
function hasUnpinned({ operation }: AppStatus, { operation: earlier }: AppStatus): boolean {
  return isUnderWay(earlier) && earlier.request?.revision !== undefined && !isUnderWay(operation);
}

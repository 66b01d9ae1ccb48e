import type { AlertedState, AlertRule, Application, AppStatus, Operation, Verdict } from '../model/index.ts';
import { isRecent } from './instant.ts';
import { matches, stateSubject, type Subject } from './matches.ts';

/** Whether an application is in a state. `unclear` neither begins nor ends anything. */
export type StateSeen = { readonly type: 'absent' } | { readonly type: 'unclear' } | { readonly type: 'present'; readonly since: string; readonly parts: readonly string[] };

interface Place {
  readonly application: Application;
  readonly status: AppStatus;
}

const absent: StateSeen = { type: 'absent' };
const unclear: StateSeen = { type: 'unclear' };

/** These are of the cluster, and not of one application. */
const clusterCodes: ReadonlySet<string> = new Set(['ClusterUnreachable', 'ClusterUnauthorized']);
/** What a fingerprint is made from that is the same for all applications of the cluster. */
export const clusterParts: readonly string[] = ['Unknown', 'cluster'];

export function isBlind(verdict: Verdict | null): boolean {
  return verdict === null || verdict.status === 'Unknown';
}

export function isUnderWay(operation: Operation | null): boolean {
  return operation?.state === 'running' || operation?.state === 'failing';
}

export function stateOf(state: Exclude<AlertedState, 'SyncSucceeded'>, { match }: AlertRule, { application, status }: Place): StateSeen {
  const { verdict, verdictSince, operation } = status;
  if ((state === 'Contested' || state === 'Degraded') && isBlind(verdict)) return unclear;
  if (state === 'Unknown' && verdict === null) return unclear;
  if (state === 'SyncFailed' && operation !== null && (isUnderWay(operation) || operation.state === 'terminated')) return unclear;
  const found = factsOf(state, { application, status }).filter(({ subject }) => matches(match, subject));
  const [oldest] = found.map(({ since }) => since ?? verdictSince ?? '').toSorted();
  return oldest === undefined ? absent : { type: 'present', since: oldest, parts: found.flatMap(({ parts }) => parts) };
}

/** A sync that succeeded lately and that the rule is about. */
export function successIn({ match }: AlertRule, { application, status }: Place, now: Date): Operation | undefined {
  const { operation, verdict } = status;
  if (operation?.state !== 'succeeded' || !isRecent(operation.endedAt ?? operation.startedAt, now)) return undefined;
  return matches(match, stateSubject(application, 'SyncSucceeded', { cause: causeOf(verdict) })) ? operation : undefined;
}

/** Why an application is in a state, in a sentence. */
export function stateMessage(state: AlertedState, { verdict, operation, health, held }: AppStatus): string | undefined {
  switch (state) {
    case 'Unknown':
      return verdict?.status === 'Unknown' ? verdict.message : undefined;
    case 'Contested':
      return held.find(({ code }) => isContest(code))?.why;
    case 'Degraded':
      return health?.status === 'Degraded' ? health.message : undefined;
    case 'SyncFailed':
    case 'SyncSucceeded':
      return operation?.message;
  }
}

/** What a state is about, as matches see it: at least one subject. */
export function stateSubjects(state: AlertedState, place: Place): readonly Subject[] {
  const subjects = state === 'SyncSucceeded' ? [] : factsOf(state, place).map(({ subject }) => subject);
  return subjects.length > 0 ? subjects : [stateSubject(place.application, state, { cause: causeOf(place.status.verdict) })];
}

interface Fact {
  readonly subject: Subject;
  /** Undefined: as long as the verdict. */
  readonly since: string | undefined;
  readonly parts: readonly string[];
}

function factsOf(state: Exclude<AlertedState, 'SyncSucceeded'>, { application, status }: Place): readonly Fact[] {
  const { verdict, held, health, unhealthy, operation, episodes } = status;
  const cause = causeOf(verdict);
  const whole = stateSubject(application, state, { cause });
  switch (state) {
    case 'Unknown': {
      if (verdict?.status !== 'Unknown') return [];
      return [{ subject: whole, since: blindSince(status), parts: clusterCodes.has(verdict.code) ? clusterParts : [application.id, state, verdict.code] }];
    }
    case 'Contested': {
      const openedAt = new Map(episodes.flatMap((episode) => (episode.closedAt === null ? [[episode.key as string, episode.openedAt] as const] : [])));
      return held.flatMap(({ key, code }) => (isContest(code) ? [{ subject: stateSubject(application, state, { key, cause }), since: openedAt.get(key), parts: [application.id, state, key] }] : []));
    }
    case 'Degraded': {
      if (health?.status !== 'Degraded') return [];
      const listed = unhealthy.filter((resource) => resource.status === 'Degraded');
      if (listed.length === 0) return [{ subject: whole, since: undefined, parts: [application.id, state] }];
      return listed.map(({ key, since }) => ({ subject: stateSubject(application, state, { key, cause }), since, parts: [application.id, state, key] }));
    }
    case 'SyncFailed': {
      if (operation?.state !== 'failed' || isInSyncSince(status, operation)) return [];
      // Each try is another operation: what is told is that this commit cannot be had.
      return [{ subject: whole, since: operation.endedAt ?? operation.startedAt, parts: [application.id, state, operation.revision ?? ''] }];
    }
  }
}

function isContest(code: string): boolean {
  return code === 'Contested' || code === 'Fighting';
}

/** Another reason for not knowing is another verdict: the condition has lasted as long as nobody has known. */
function blindSince({ verdictSince, conditions }: AppStatus): string | undefined {
  const since = conditions.find(({ type, status }) => type === 'Synced' && status === 'Unknown')?.lastTransitionTime;
  if (since === undefined || verdictSince === null) return since;
  return Date.parse(since) < Date.parse(verdictSince) ? since : verdictSince;
}

function isInSyncSince({ verdict, verdictSince }: AppStatus, { endedAt, startedAt }: Operation): boolean {
  return verdict?.status === 'Synced' && verdictSince !== null && Date.parse(verdictSince) > Date.parse(endedAt ?? startedAt);
}

function causeOf(verdict: Verdict | null): Subject['cause'] {
  return verdict?.status === 'OutOfSync' ? verdict.cause : null;
}

import { driftIn, modeOf, parseResourceKey, shownRevision, type Application, type AppStatus, type Health, type HeldStep, type HistoryEntry, type Json, type JsonObject, type ResourceKey, type ResourceStatus, type UnhealthyResource } from '../model/index.ts';
import { compress } from './compressed-text.ts';
import { recordsOf, recordsTruncated } from './records.ts';
import { remembered } from './remembered.ts';

const longestMessage = 1024;

/** A status as the Application in the cluster shows it. What Argo CD has too keeps its name and meaning. */
export function applicationStatus(status: AppStatus, application: Application | undefined, now: Date): JsonObject {
  const { verdict, commit, declared, resources, conditions, episodes, alerts, history, findings, foreign } = status;
  const drift = driftIn(status);
  const records = recordsOf(status, now);
  return {
    observedGeneration: status.generation,
    observedRefresh: status.observedRefresh,
    observedAt: status.checkedAt,
    ...(application === undefined ? {} : { mode: modeOf(application, now) }),
    drift: `${drift.count}/${declared}`,
    driftedSince: drift.since ?? null,
    sync: {
      status: verdict?.status ?? 'Unknown',
      cause: verdict?.status === 'OutOfSync' ? verdict.cause : null,
      revision: commit,
      revisions: status.commits.length === 0 ? null : [...status.commits],
      shortRevision: shownRevision(status) ?? null,
      comparedTo: status.reference === null ? null : { source: { repoURL: status.reference.repository, targetRevision: status.reference.revision } },
      since: status.verdictSince,
      code: verdict?.status === 'Unknown' ? verdict.code : null,
      message: verdict?.status === 'Unknown' ? verdict.message.slice(0, longestMessage) : null,
    },
    counts: { declared, listed: resources.length, notListed: status.notListed, foreignFields: foreign.length, findings: findings.length },
    resources: resources.map((resource) => shownResource(resource, healthIn(status, resource))),
    conditions: [...conditions.filter(({ type }) => type !== recordsTruncated), ...records.conditions] as unknown as Json,
    episodes: episodes as unknown as Json,
    corrections: status.corrections.length === 0 ? null : correctionsText(status.corrections),
    alerts: alerts as unknown as Json,
    answeredReplay: status.answeredReplay,
    history: history.map(shownEntry),
    health: status.health === null ? null : { status: status.health.status, message: status.health.message ?? null },
    unhealthy: status.unhealthy.map(shownUnhealthy),
    operation: status.operation as unknown as Json,
    answered: status.answered,
    held: status.held.map(shownHold),
    rendered: status.rendered,
    inventory: records.inventory,
    subject: status.subject,
    memory: records.memory,
  };
}

const correctionsText = remembered<AppStatus['corrections'], string>(compress);

function placeOf(key: ResourceKey): JsonObject {
  const { group, kind, namespace, name } = parseResourceKey(key);
  return { group, kind, ...(namespace === '' ? {} : { namespace }), name };
}

function shownUnhealthy({ key, status, message, since, isOverdue }: UnhealthyResource): JsonObject {
  return { ...placeOf(key), status, since, ...(isOverdue === undefined ? {} : { isOverdue }), ...(message === undefined ? {} : { message: message.slice(0, longestMessage) }) };
}

function shownHold({ key, code, why, confirm }: HeldStep): JsonObject {
  return { ...placeOf(key), code, why: why.slice(0, longestMessage), ...(confirm === undefined ? {} : { confirm }) };
}

/** `at` by the name that Argo CD has for it. */
function shownEntry({ at, startedAt, ...entry }: HistoryEntry): JsonObject {
  return { ...(entry as unknown as JsonObject), ...(startedAt !== undefined && { deployStartedAt: startedAt }), deployedAt: at };
}

/** Known of those that are not well, and of what is not there. */
function healthIn({ unhealthy }: AppStatus, { key, type }: ResourceStatus): Health['status'] | undefined {
  return unhealthy.find((resource) => resource.key === key)?.status ?? (type === 'missing' ? 'Missing' : undefined);
}

/** Without values: those are for who may read the object itself. */
function shownResource({ key, origin, type, cause, since, message, fields, by }: ResourceStatus, health: Health['status'] | undefined): JsonObject {
  return {
    ...placeOf(key),
    ...(health === undefined ? {} : { health: { status: health } }),
    status: cause === undefined ? 'Unknown' : 'OutOfSync',
    type,
    origin,
    ...(cause === undefined ? {} : { cause }),
    since,
    ...(message === undefined ? {} : { message: message.slice(0, longestMessage) }),
    ...(fields === undefined ? {} : { fields: [...fields] }),
    ...(by === undefined ? {} : { by }),
  };
}

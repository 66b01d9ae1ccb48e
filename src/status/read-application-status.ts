import { emptyStatus, isList, isObject, parseJsonOrUndefined, resourceKey, type AppStatus, type ErrorCode, type Health, type HoldCode, type Json, type JsonObject, type Operation, type ResourceKey, type ResourceStatus, type Verdict } from '../model/index.ts';
import { inflate } from './compressed-text.ts';
import { inventoryIn } from './inventory-text.ts';
import { agreedIn } from './memory-text.ts';

const causes = ['git-ahead', 'live-changed', 'both'] as const;

/** What an Application's status says, whoever wrote it: an older release, a newer one, a person. What cannot be understood is left out. */
export function readApplicationStatus(id: string, status: Json | undefined): AppStatus {
  const empty = emptyStatus(id);
  if (!isObject(status)) return empty;
  const sync = objectOf(status['sync']);
  const counts = objectOf(status['counts']);
  return {
    ...empty,
    verdict: verdictOf(sync),
    verdictSince: textOf(sync['since']),
    commit: textOf(sync['revision']),
    reference: referenceOf(objectOf(sync['comparedTo'])),
    commits: isList(sync['revisions']) ? sync['revisions'].filter((commit) => typeof commit === 'string') : [],
    checkedAt: textOf(status['observedAt']),
    generation: numberOf(status['observedGeneration']),
    observedRefresh: textOf(status['observedRefresh']),
    subject: textOf(status['subject']),
    declared: numberOf(counts['declared']) ?? 0,
    notListed: numberOf(counts['notListed']) ?? 0,
    resources: objectsOf(status['resources']).flatMap(resourceOf),
    conditions: objectsOf(status['conditions']).filter(has('type', 'status', 'reason', 'message', 'lastTransitionTime')) as unknown as AppStatus['conditions'],
    episodes: objectsOf(status['episodes']).filter(has('id', 'key', 'cause', 'openedAt', 'fingerprint')).map((episode) => ({ closedAt: null, fields: [], ...episode })) as unknown as AppStatus['episodes'],
    corrections: correctionsOf(status['corrections']),
    alerts: objectsOf(status['alerts']).flatMap(alertOf),
    answeredReplay: textOf(status['answeredReplay']),
    history: objectsOf(status['history']).flatMap(entryOf) as unknown as AppStatus['history'],
    operation: operationOf(status['operation']),
    answered: answerOf(status['answered']),
    held: objectsOf(status['held']).flatMap(heldOf),
    rendered: textOf(status['rendered']),
    inventory: typeof status['inventory'] === 'string' ? inventoryIn(status['inventory']) : {},
    health: healthOf(objectOf(status['health'])),
    unhealthy: objectsOf(status['unhealthy']).flatMap(unhealthyOf),
    agreed: typeof status['memory'] === 'string' ? agreedIn(status['memory']) : {},
  };
}

/** Earlier releases called it `at`. */
function entryOf({ deployedAt, deployStartedAt, ...entry }: JsonObject): readonly JsonObject[] {
  const at = deployedAt ?? entry['at'];
  return typeof at === 'string' ? [{ ...entry, at, ...(typeof deployStartedAt === 'string' && { startedAt: deployStartedAt }) }] : [];
}

/** What is null is not stored. */
function alertOf(stored: JsonObject): AppStatus['alerts'] {
  if (!has('id', 'rule', 'severity', 'startedAt', 'firedAt', 'fingerprint', 'transitionAt')(stored) || typeof stored['transition'] !== 'number') return [];
  const deliveries = Object.entries(objectOf(stored['deliveries'])).map(([name, delivery]) => [name, { told: 0, toldAt: null, toldState: null, ...objectOf(delivery) }]);
  const alert = { resolvedAt: null, ...stored, episodes: isList(stored['episodes'] ?? null) ? stored['episodes'] : [], deliveries: Object.fromEntries(deliveries) };
  return [alert as unknown as AppStatus['alerts'][number]];
}

function verdictOf({ status, cause, code, message }: JsonObject): Verdict | null {
  if (status === 'Synced') return { status };
  if (status === 'OutOfSync') return { status, cause: causes.find((known) => known === cause) ?? 'both' };
  if (status !== 'Unknown' || (textOf(code) === null && textOf(message) === null)) return null;
  return { status, code: (textOf(code) ?? 'NotObserved') as ErrorCode, message: textOf(message) ?? '' };
}

function referenceOf({ source }: JsonObject): AppStatus['reference'] {
  const { repoURL, targetRevision } = objectOf(source);
  return typeof repoURL === 'string' && typeof targetRevision === 'string' ? { repository: repoURL, revision: targetRevision } : null;
}

function resourceOf(stored: JsonObject): readonly ResourceStatus[] {
  const { group = '', kind, namespace = '', name, type, cause, since, origin, message, by, fields } = stored;
  if (typeof kind !== 'string' || typeof name !== 'string' || typeof type !== 'string' || typeof since !== 'string') return [];
  const known = causes.find((each) => each === cause);
  return [
    {
      key: resourceKey({ group: textOf(group) ?? '', kind, namespace: textOf(namespace) ?? '', name }),
      origin: textOf(origin) ?? '',
      type: type as ResourceStatus['type'],
      since,
      ...(known === undefined ? {} : { cause: known }),
      ...(typeof message === 'string' ? { message } : {}),
      ...(typeof by === 'string' ? { by } : {}),
      ...(isList(fields) ? { fields: fields.filter((field) => typeof field === 'string') } : {}),
    },
  ];
}

/** One that cannot be understood is none: what is to be done is found out anew. */
function operationOf(stored: Json | undefined): Operation | null {
  const operation = objectOf(stored);
  if (!has('id', 'type', 'startedAt', 'state')(operation)) return null;
  return { revision: null, ...operation, hooks: objectOf(operation['hooks']) } as unknown as Operation;
}

function answerOf(stored: Json | undefined): AppStatus['answered'] {
  const { request, message } = objectOf(stored);
  return typeof request === 'string' ? { request, ...(typeof message === 'string' && { message }) } : null;
}

function correctionsOf(stored: Json | undefined): AppStatus['corrections'] {
  const all = objectsOf(typeof stored === 'string' ? parseJsonOrUndefined(inflate(stored)) : undefined).filter(has('key', 'path'));
  return all.filter(({ times }) => isList(times) && times.every((time) => typeof time === 'string')) as unknown as AppStatus['corrections'];
}

function healthOf({ status, message, isOverdue }: JsonObject): Health | null {
  return typeof status === 'string' ? { status: status as Health['status'], ...(typeof message === 'string' && { message }), ...(isOverdue === true && { isOverdue }) } : null;
}

function keyOf({ group = '', kind, namespace = '', name }: JsonObject): readonly ResourceKey[] {
  if (typeof kind !== 'string' || typeof name !== 'string') return [];
  return [resourceKey({ group: textOf(group) ?? '', kind, namespace: textOf(namespace) ?? '', name })];
}

function unhealthyOf(stored: JsonObject): AppStatus['unhealthy'] {
  const [health, since] = [healthOf(stored), textOf(stored['since'])];
  return health === null || since === null ? [] : keyOf(stored).map((key) => ({ key, ...health, since }));
}

function heldOf(stored: JsonObject): AppStatus['held'] {
  const { code, why, confirm } = stored;
  if (typeof code !== 'string' || typeof why !== 'string') return [];
  return keyOf(stored).map((key) => ({ key, code: code as HoldCode, why, ...(typeof confirm === 'string' && { confirm }) }));
}

function has(...fields: readonly string[]): (value: JsonObject) => boolean {
  return (value) => fields.every((field) => typeof value[field] === 'string');
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value ?? null) ? (value as JsonObject) : {};
}

function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return isList(value ?? null) ? (value as readonly Json[]).filter(isObject) : [];
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

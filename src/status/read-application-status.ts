import { emptyStatus, isList, isObject, resourceKey, type AppStatus, type ErrorCode, type Json, type JsonObject, type ResourceStatus, type Verdict } from '../model/index.ts';
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
    checkedAt: textOf(status['observedAt']),
    generation: numberOf(status['observedGeneration']),
    observedRefresh: textOf(status['observedRefresh']),
    subject: textOf(status['subject']),
    declared: numberOf(counts['declared']) ?? 0,
    notListed: numberOf(counts['notListed']) ?? 0,
    resources: objectsOf(status['resources']).flatMap(resourceOf),
    conditions: objectsOf(status['conditions']).filter(has('type', 'status', 'reason', 'message', 'lastTransitionTime')) as unknown as AppStatus['conditions'],
    episodes: objectsOf(status['episodes']).filter(has('id', 'key', 'cause', 'openedAt', 'fingerprint')).map((episode) => ({ closedAt: null, fields: [], ...episode })) as unknown as AppStatus['episodes'],
    incidents: objectsOf(status['incidents']).filter(has('id', 'cause', 'openedAt', 'fingerprint')).map((incident) => ({ closedAt: null, transitions: 0, ...incident })) as unknown as AppStatus['incidents'],
    outbox: objectsOf(status['outbox']).filter(has('key', 'type', 'incidentId', 'at')) as unknown as AppStatus['outbox'],
    history: objectsOf(status['history']).filter(has('at')) as unknown as AppStatus['history'],
    agreed: typeof status['memory'] === 'string' ? agreedIn(status['memory']) : {},
  };
}

function verdictOf({ status, cause, code, message }: JsonObject): Verdict | null {
  if (status === 'Synced') return { status };
  if (status === 'OutOfSync') return { status, cause: causes.find((known) => known === cause) ?? 'both' };
  if (status !== 'Unknown' || (textOf(code) === null && textOf(message) === null)) return null;
  return { status, code: (textOf(code) ?? 'NotObserved') as ErrorCode, message: textOf(message) ?? '' };
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

import type { AlertedApplication, AlertedField, AlertedResource, Cause, FieldOwner, Json, JsonObject, Notification, NotificationType, Patch } from '../model/index.ts';
import { cut, plainText } from './plain-text.ts';

/** CloudEvents 1.0 in the structured form. */
export interface CloudEvent {
  readonly specversion: '1.0';
  /** That of the notification: the same in every copy. */
  readonly id: string;
  readonly source: string;
  readonly type: `dev.setpoint.${NotificationType}.v1`;
  /** `namespace/name` where it is about one application; absent where it is about several or none. */
  readonly subject?: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly data: EventData;
}

interface Facts {
  readonly status: 'firing' | 'resolved' | 'test';
  readonly reason: 'new' | 'changed' | 'repeated' | 'resolved' | 'healed' | 'test';
  readonly rule: Notification['rule'];
  readonly cluster: string;
}

/** About one application all of it is in `data` itself. About several it is in `subjects`; `truncatedSubjects` did not fit. */
export type EventData = Facts & (EventSubject | { readonly subjects: readonly EventSubject[]; readonly truncatedSubjects: number; readonly counts: { readonly applications: number; readonly resources: number } });

export interface EventSubject {
  /** Where it is another one than that of the event. */
  readonly rule?: Notification['rule'];
  readonly cause: Cause | null;
  readonly message?: string;
  readonly episode: AlertedApplication['alert'];
  readonly application: AlertedApplication['application'];
  readonly revision: AlertedApplication['revision'];
  readonly resources: readonly EventResource[];
  /** How many more there are. */
  readonly truncatedResources: number;
}

interface EventResource {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** `modified`, `missing`, … */
  readonly change: string;
  readonly cause: Cause | null;
  readonly since: string;
  /** Absent while it lasts. */
  readonly endedAt?: string;
  readonly correctedAt?: string;
  readonly by?: string;
  readonly fields: readonly EventField[];
  /** Applied to the live object, it gives what Git asks for. Left out of events that would be too large. */
  readonly patch?: Patch;
}

/** A value is absent where that side has nothing there or where it is not known. */
interface EventField {
  readonly path?: string;
  readonly display: string;
  readonly desired?: Json;
  readonly live?: Json;
  /** The values are too large for an event. */
  readonly valuesLeftOut?: true;
  readonly actor?: { readonly manager: string; readonly subresource: string | null; readonly operation: string; readonly time: string | null };
}

/** How much of a notification goes into an event. */
export interface EventExtent {
  readonly hasPatches: boolean;
  /** So many resources, counted over all subjects from the first. */
  readonly resources: number;
  readonly subjects: number;
}

const reasons: Readonly<Record<NotificationType, Pick<Facts, 'status' | 'reason'>>> = {
  'drift.firing': { status: 'firing', reason: 'new' },
  'drift.changed': { status: 'firing', reason: 'changed' },
  'drift.repeated': { status: 'firing', reason: 'repeated' },
  'drift.resolved': { status: 'resolved', reason: 'resolved' },
  'drift.healed': { status: 'resolved', reason: 'healed' },
  'sync.failed': { status: 'firing', reason: 'new' },
  'sync.succeeded': { status: 'resolved', reason: 'resolved' },
  'agent.blind': { status: 'firing', reason: 'new' },
  'agent.recovered': { status: 'resolved', reason: 'resolved' },
  test: { status: 'test', reason: 'test' },
};

const longestName = 253;
const longestText = 1_000;
const longestValue = 2_000;

/** The notification as an event, to the given extent. What is left out is counted. */
export function cloudEvent(notification: Notification, source: string | undefined, extent: EventExtent): CloudEvent {
  const { id, type, at, rule, cluster, subjects, truncatedSubjects } = notification;
  const facts: Facts = { ...reasons[type], rule: shortRule(rule), cluster: cut(cluster, longestName) };
  const counts = { applications: subjects.length + truncatedSubjects, resources: subjects.reduce((sum, each) => sum + each.resources.length + each.truncatedResources, 0) };
  const described = subjectsOf(subjects.slice(0, extent.subjects), extent);
  const [only] = described;
  const isOne = only !== undefined && counts.applications === 1;
  return {
    specversion: '1.0',
    id,
    source: source ?? `setpoint://${encodeURIComponent(cut(cluster, longestName).toWellFormed())}`,
    type: `dev.setpoint.${type}.v1`,
    ...(isOne && { subject: subjectName(only) }),
    time: at,
    datacontenttype: 'application/json',
    data: isOne ? { ...facts, ...only } : { ...facts, subjects: described, truncatedSubjects: counts.applications - described.length, counts },
  };
}

function shortRule({ name, severity }: Notification['rule']): Notification['rule'] {
  return { name: cut(name, longestName), severity };
}

function subjectName({ application: { namespace, name } }: EventSubject): string {
  return namespace === null ? name : `${namespace}/${name}`;
}

function subjectsOf(subjects: readonly AlertedApplication[], { hasPatches, resources: room }: EventExtent): readonly EventSubject[] {
  let left = room;
  return subjects.map(({ rule, alert, application, cause, message, revision, resources, truncatedResources }) => {
    const kept = resources.slice(0, left);
    left -= kept.length;
    return {
      ...(rule !== undefined && { rule: shortRule(rule) }),
      cause,
      ...(message !== undefined && { message: plainText(message, longestText) }),
      episode: alert,
      application: {
        namespace: application.namespace === null ? null : cut(application.namespace, longestName),
        name: cut(application.name, longestName),
        labels: isShort(application.labels) ? application.labels : {},
      },
      revision: { ...revision, repo: withoutLogin(revision.repo) },
      resources: kept.map((resource) => resourceOf(resource, hasPatches ? resource.patch : undefined)),
      truncatedResources: truncatedResources + resources.length - kept.length,
    };
  });
}

function withoutLogin(repo: string): string {
  return repo.replace(/^(https?:\/\/)[^/@]*@/i, '$1');
}

function resourceOf({ group, kind, namespace, name, change, cause, since, endedAt, correctedAt, by, fields }: AlertedResource, patch: Patch | undefined): EventResource {
  return {
    group,
    kind,
    namespace,
    name,
    change: change === 'changed' ? 'modified' : change,
    cause,
    since,
    ...(endedAt !== undefined && { endedAt }),
    ...(correctedAt !== undefined && { correctedAt }),
    ...(by !== undefined && { by }),
    fields: fields.map(fieldOf),
    ...(patch !== undefined && { patch }),
  };
}

function fieldOf({ path, display, desired, live, actor }: AlertedField): EventField {
  const isSmall = isShort(desired) && isShort(live);
  return {
    ...(path !== undefined && { path }),
    display: cut(display, longestText),
    ...(isSmall && desired !== undefined && { desired }),
    ...(isSmall && live !== undefined && { live }),
    ...(!isSmall && { valuesLeftOut: true as const }),
    ...(actor !== undefined && { actor: actorOf(actor) }),
  };
}

function actorOf({ manager, operation, subresource, time }: FieldOwner): NonNullable<EventField['actor']> {
  return { manager, subresource: subresource ?? null, operation, time: time ?? null };
}

/** Without making a text of something large first. */
function isShort(value: Json | undefined): boolean {
  return sizeOf(value, longestValue) <= longestValue;
}

function sizeOf(value: Json | undefined, enough: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 0;
  for (const [key, child] of Object.entries<Json>(value as JsonObject)) {
    size += key.length + sizeOf(child, enough - size);
    if (size > enough) break;
  }
  return size;
}

import type { AlertedApplication, Notification } from '../model/index.ts';
import { isResolved, type Message } from './message.ts';
import { cut, plainText } from './plain-text.ts';
import { singleSubject } from './single-subject.ts';

/** As the Events API v2 takes them, without the routing key. Nothing is ever acknowledged: that is for people. */
export type PagerDutyEvent =
  | { readonly event_action: 'resolve'; readonly dedup_key: string }
  | { readonly event_action: 'trigger'; readonly dedup_key: string; readonly client: string; readonly payload: PagerDutyPayload };

interface PagerDutyPayload {
  readonly summary: string;
  readonly source: string;
  readonly severity: 'info' | 'warning' | 'error' | 'critical';
  readonly timestamp: string;
  readonly component?: string;
  readonly group: string;
  readonly class: string;
  readonly custom_details: Readonly<Record<string, unknown>>;
}

export interface PagerDutyEvents {
  readonly events: readonly PagerDutyEvent[];
  /** The key of an incident that stands for many applications; `own` where each has its own. */
  readonly ref: string;
}

type MessageOf = (notification: Notification) => Message;

// What pages somebody a dozen times for one cause has to be one incident.
const manyIncidents = 10;
const longestSummary = 1024;
const longestName = 200;

/**
 * One event for each application, by the id of its alert: firing, changed and repeated are one incident. Of very many, one
 * event for all, and the same one again for as long as exactly those that are left of them are told together.
 */
export function pagerDutyEvents(notification: Notification, messageOf: MessageOf): PagerDutyEvents {
  const { id, ref = '', subjects, truncatedSubjects, type } = notification;
  const singles = subjects.map((subject) => ({ subject, single: singleSubject(notification, subject) }));
  const firing = singles.filter(({ single }) => !isResolved(single));
  // Those that are only counted are taken to last, unless all is told as over.
  const hidden = isResolved(notification) ? 0 : truncatedSubjects;
  const oneEvent = (key: string): PagerDutyEvent => oneForAll(notification, messageOf(notification), key);
  if (type === 'test') return { events: [oneEvent(id)], ref: 'own' };
  if (/^evt_\w{1,200}$/.test(ref)) return firing.length + hidden > 0 ? { events: [oneEvent(ref)], ref } : { events: [{ event_action: 'resolve', dedup_key: ref }], ref: 'own' };
  const over = singles.filter(({ single }) => isResolved(single)).map(({ subject }): PagerDutyEvent => ({ event_action: 'resolve', dedup_key: subject.alert.id }));
  if (hidden > 0 || firing.length > manyIncidents) return { events: [...over, oneEvent(id)], ref: id };
  return { events: [...over, ...firing.map(({ subject, single }) => trigger(subject, single, messageOf(single)))], ref: 'own' };
}

function trigger({ alert, application, cause }: AlertedApplication, single: Notification, message: Message): PagerDutyEvent {
  const { cluster, rule } = single;
  const place = [cluster, application.namespace, application.name].filter((part) => part !== null);
  return {
    event_action: 'trigger',
    dedup_key: alert.id,
    client: 'Setpoint',
    payload: {
      summary: cut(message.title, longestSummary),
      source: plainText(place.join('/'), longestName),
      severity: rule.severity,
      timestamp: alert.startedAt,
      component: plainText(application.name, longestName),
      group: plainText(application.namespace ?? cluster, longestName),
      class: plainText(rule.name, longestName),
      custom_details: { ...detailsOf(single, message), ...(cause !== null && { cause }) },
    },
  };
}

function oneForAll(notification: Notification, message: Message, key: string): PagerDutyEvent {
  const { at, cluster, rule } = notification;
  return {
    event_action: 'trigger',
    dedup_key: key,
    client: 'Setpoint',
    payload: {
      summary: cut(message.title, longestSummary),
      source: plainText(cluster, longestName),
      severity: rule.severity,
      timestamp: at,
      group: plainText(cluster, longestName),
      class: plainText(rule.name, longestName),
      custom_details: detailsOf(notification, message),
    },
  };
}

/** Bounded as the message is, at 60 KB where PagerDuty takes 512. */
function detailsOf({ id, type }: Notification, { summary, lines, next }: Message): Readonly<Record<string, unknown>> {
  return { summary, what: lines, next, notification: id, type };
}

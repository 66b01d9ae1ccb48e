import type { AlertedApplication, Notification } from '../model/index.ts';
import { isResolved, type Message } from './message.ts';
import { plainText } from './plain-text.ts';
import { singleSubject } from './single-subject.ts';

/** As `POST /api/v2/alerts` takes them. */
export interface PostableAlert {
  /** They are the identity of the alert: what fires and what resolves it must have the same. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly generatorURL?: string;
}

// Without an end Alertmanager ends an alert after its resolve_timeout, five minutes, and we tell of it again only after
// repeatInterval, a day. It must be longer than that one, and ends what nobody is left to resolve.
const firesForMs = 7 * 86_400_000;
// Of those that are only counted nobody tells the end.
const restFiresForMs = 86_400_000;
const testFiresForMs = 300_000;
const longestLabel = 250;

/** One alert for each application, and one for all that did not fit into the notification. */
export function alertmanagerAlerts(notification: Notification, messageOf: (notification: Notification) => Message): readonly PostableAlert[] {
  const { subjects, truncatedSubjects, type } = notification;
  if (type === 'test') return [oneForAll(notification, messageOf(notification), testFiresForMs)];
  const alerts = subjects.map((subject) => {
    const single = singleSubject(notification, subject);
    return alertOf(subject, single, messageOf(single));
  });
  return truncatedSubjects === 0 || isResolved(notification) ? alerts : [...alerts, oneForAll(notification, messageOf(notification), restFiresForMs)];
}

function alertOf({ alert, application, revision }: AlertedApplication, notification: Notification, message: Message): PostableAlert {
  const { at } = notification;
  const link = linkTo(revision.repo);
  const end = alert.endedAt ?? (isResolved(notification) ? at : later(at, firesForMs));
  return {
    labels: labelsOf(notification, { namespace: application.namespace ?? '', application: application.name, alert_id: alert.id }),
    annotations: annotationsOf(notification, message),
    // Alertmanager refuses a whole request for one alert that ends before it starts.
    startsAt: Date.parse(alert.startedAt) > Date.parse(end) ? end : alert.startedAt,
    endsAt: end,
    ...(link !== undefined && { generatorURL: link }),
  };
}

function oneForAll(notification: Notification, message: Message, firesMs: number): PostableAlert {
  const { at, id } = notification;
  return { labels: labelsOf(notification, { alert_id: id }), annotations: annotationsOf(notification, message), startsAt: at, endsAt: later(at, firesMs) };
}

/** `SetpointGitStuck` for the rule git-stuck: by the rule and not by what is told, which changes while the alert stays the same. */
function alertName(rule: string): string {
  const words = rule.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return `Setpoint${words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')}`;
}

/** An empty label is none to Alertmanager. */
function labelsOf({ cluster, rule }: Notification, own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const labels = { alertname: alertName(rule.name), severity: rule.severity, cluster, rule: rule.name, ...own };
  return Object.fromEntries(Object.entries(labels).flatMap(([name, value]) => (value === '' ? [] : [[name, plainText(value, longestLabel)]])));
}

function annotationsOf({ id }: Notification, { title, summary, lines, next }: Message): Readonly<Record<string, string>> {
  return { summary: title, description: [summary, ...lines, ...next].join('\n'), notification: id };
}

function later(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}

function linkTo(repo: string): string | undefined {
  const url = /^https?:/i.test(repo) ? URL.parse(repo) : null;
  return url === null ? undefined : `${url.origin}${url.pathname}`;
}

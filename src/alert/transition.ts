import type { Alert, AlertRule, Application, AppStatus } from '../model/index.ts';
import { fingerprint } from './fingerprint.ts';
import { deliveryOf } from './owed.ts';

/** One look at the alerts of one application. */
export interface Round {
  readonly application: Application;
  readonly status: AppStatus;
  readonly now: Date;
  readonly newId: () => string;
  readonly isMuted: (alert: Alert) => boolean;
  readonly isSettled: (alert: Alert, rule: AlertRule) => boolean;
}

/** What an alert is about. */
export interface Content {
  readonly about?: Exclude<Alert['about'], undefined>;
  readonly startedAt: string;
  readonly episodes: readonly string[];
  readonly parts: readonly string[];
}

export function raised({ parts, ...content }: Content, rule: AlertRule, { now, newId }: Round): Alert {
  const at = now.toISOString();
  return {
    id: `drf_${newId()}`,
    rule: rule.name,
    ...content,
    severity: content.about === 'healed' ? 'info' : rule.severity,
    firedAt: at,
    resolvedAt: null,
    fingerprint: fingerprint(parts),
    transition: 1,
    transitionAt: at,
    deliveries: {},
  };
}

/** It fires, again or still, and is about something else than before. */
export function firedAgain({ late: before = {}, ...alert }: Alert, { episodes, parts, startedAt }: Content, { now, status }: Round): Alert {
  const onset = Date.parse(startedAt) < Date.parse(alert.startedAt) ? startedAt : alert.startedAt;
  const transition = alert.transition + 1;
  const over = new Set(status.episodes.flatMap(({ id, closedAt }) => (closedAt === null ? [] : [id])));
  const joining = episodes.filter((id) => over.has(id) && !alert.episodes.includes(id)).map((id) => [id, transition] as const);
  const late = [...Object.entries(before).filter(([id]) => episodes.includes(id)), ...joining];
  const known = late.length === 0 ? {} : { late: Object.fromEntries(late) };
  return { ...alert, ...known, startedAt: onset, episodes, fingerprint: fingerprint(parts), resolvedAt: null, transition, transitionAt: now.toISOString() };
}

/** What nobody has heard of and is over while it is muted is never told. */
export function resolved(alert: Alert, rule: AlertRule, { now, isMuted }: Round): Alert {
  const at = now.toISOString();
  const over: Alert = { ...alert, resolvedAt: at, transition: alert.transition + 1, transitionAt: at };
  if (!isMuted(over)) return over;
  const waived = rule.destinations.flatMap((destination) => {
    const delivery = deliveryOf(over, destination);
    return delivery.claim !== undefined || delivery.toldState === 'firing' ? [] : [[destination, { ...delivery, told: over.transition }] as const];
  });
  return { ...over, deliveries: { ...over.deliveries, ...Object.fromEntries(waived) } };
}

/** Whether something that began then is one with an alert that was resolved: what comes and goes is told as one. */
export function isSameAgain(alert: Alert, since: string, { groupIntervalMs }: AlertRule): boolean {
  return Date.parse(since) - Date.parse(alert.transitionAt) <= groupIntervalMs;
}

export function hasLasted(since: string, { forMs }: AlertRule, now: Date): boolean {
  return now.getTime() - Date.parse(since) >= forMs;
}

import type { Alert, AlertRule, Delivery, Episode } from '../model/index.ts';
import { deadLetterMs, isRecent, latest, newsMs } from './instant.ts';

interface Keeping {
  readonly rules: ReadonlyMap<string, AlertRule>;
  readonly episodes: readonly Episode[];
  readonly isSettled: (alert: Alert) => boolean;
  readonly now: Date;
}

const mostResolved = 10;
const mostDead = 20;

/** Without those that are resolved, told of and old, and when the next one will be. What they told of stays known while it is listed. */
export function keepAlerts(alerts: readonly Alert[], { rules, episodes, isSettled, now }: Keeping): { readonly alerts: readonly Alert[]; readonly nextAt: readonly number[] } {
  const present = alerts.map((alert) => withoutOldLetters(alert, now));
  const over = present.filter((alert) => alert.resolvedAt !== null && isSettled(alert)).toSorted((a, b) => doneAt(b) - doneAt(a));
  const dead = over.filter((alert) => hasLetters(alert));
  const quiet = over.filter((alert) => !hasLetters(alert) && forgottenAt(alert, rules) > now.getTime());
  const newest = quiet.filter((alert) => quiet.find((other) => other.rule === alert.rule && other.about === alert.about) === alert);
  const kept = new Set([...present.filter((alert) => !over.includes(alert)), ...dead.slice(0, mostDead), ...quiet.slice(0, mostResolved), ...newest]);
  const dropped = present.filter((alert) => !kept.has(alert));
  const remaining = present.filter((alert) => kept.has(alert));
  const letters = present.flatMap(({ deliveries }) => Object.values(deliveries).flatMap(({ dead: letter }) => (letter === undefined ? [] : [Date.parse(letter.at) + deadLetterMs])));
  return { alerts: remembering(remaining, dropped, recentIds(episodes, now)), nextAt: [...letters, ...quiet.map((alert) => forgottenAt(alert, rules))] };
}

function recentIds(episodes: readonly Episode[], now: Date): ReadonlySet<string> {
  return new Set(episodes.filter(({ closedAt }) => closedAt === null || isRecent(closedAt, now)).map(({ id }) => id));
}

/** The newest of a rule takes over what those that go have told of. */
function remembering(remaining: readonly Alert[], dropped: readonly Alert[], listed: ReadonlySet<string>): readonly Alert[] {
  const heirs = new Set(remaining.filter((alert) => remaining.find(({ rule }) => rule === alert.rule) === alert));
  return remaining.map((alert) => {
    const gone = heirs.has(alert) ? dropped.filter(({ rule }) => rule === alert.rule) : [];
    const left = gone.flatMap(({ episodes, earlier = [] }) => [...episodes, ...earlier]);
    if (!left.some((id) => listed.has(id))) return alert;
    return { ...alert, earlier: [...new Set([...(alert.earlier ?? []), ...left])].filter((id) => listed.has(id)) };
  });
}

function doneAt({ resolvedAt, deliveries }: Alert): number {
  return latest([resolvedAt, ...Object.values(deliveries).flatMap(({ toldAt, dead }) => [toldAt, dead?.at])]);
}

function forgottenAt(alert: Alert, rules: ReadonlyMap<string, AlertRule>): number {
  return doneAt(alert) + Math.max(newsMs, rules.get(alert.rule)?.groupIntervalMs ?? 0);
}

function hasLetters({ deliveries }: Alert): boolean {
  return Object.values(deliveries).some(({ dead }) => dead !== undefined);
}

function withoutOldLetters(alert: Alert, now: Date): Alert {
  const isOld = ({ dead }: Delivery): boolean => dead !== undefined && now.getTime() >= Date.parse(dead.at) + deadLetterMs;
  if (!Object.values(alert.deliveries).some(isOld)) return alert;
  const deliveries = Object.entries(alert.deliveries).map(([destination, delivery]) => {
    if (!isOld(delivery)) return [destination, delivery] as const;
    const { dead, ...rest } = delivery;
    return [destination, { ...rest, told: Math.max(rest.told, dead?.transition ?? 0) }] as const;
  });
  return { ...alert, deliveries: Object.fromEntries(deliveries) };
}

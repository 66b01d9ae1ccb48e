import type { Alert, AlertRule, Application, AppStatus } from '../model/index.ts';
import type { ActiveMute } from './active-mutes.ts';
import { advanceDrift } from './advance-drift.ts';
import { advanceHealed } from './advance-healed.ts';
import { advanceState } from './advance-state.ts';
import { earliest } from './instant.ts';
import { keepAlerts } from './keep-alerts.ts';
import { mutedBy } from './muted-by.ts';
import { isSettled, type Destinations } from './owed.ts';
import { sortEpisodes } from './sort-episodes.ts';
import type { Round } from './transition.ts';

export interface AdvanceInput {
  readonly application: Application;
  readonly status: AppStatus;
  /** As they were returned before. */
  readonly alerts: readonly Alert[];
  readonly rules: readonly AlertRule[];
  /** Absent: every destination of a rule can be told. */
  readonly destinations?: Destinations;
  /** What may mute something of this application now. */
  readonly mutes?: readonly ActiveMute[];
  readonly now: Date;
  readonly newId: () => string;
}

export interface AdvancedAlerts {
  /** The very same list where nothing is new. Newest first within a rule. */
  readonly alerts: readonly Alert[];
  /** When time alone will change something; null: never. */
  readonly nextAt: Date | null;
}

interface Advanced {
  readonly alerts: readonly Alert[];
  readonly times: readonly number[];
}

/** What the rules find in one application, after what they found before. Called twice it is the same as once. */
export function advanceAlerts(input: AdvanceInput): AdvancedAlerts {
  const { application, status, alerts, rules, destinations, mutes = [], now, newId } = input;
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  const round: Round = {
    ...{ application, status, now, newId },
    isMuted: (alert) => mutedBy(alert, { application, status }, mutes) !== undefined,
    isSettled: (alert, rule) => isSettled(alert, rule, destinations),
  };
  const ended = alerts.map((alert) => (isAbout(byName.get(alert.rule), alert) || alert.resolvedAt !== null ? alert : { ...alert, resolvedAt: now.toISOString() }));
  const advanced = [...byName.values()].map((rule) => advanceRule(ended.filter((alert) => alert.rule === rule.name), rule, round));
  const all = [...advanced.flatMap((one) => one.alerts), ...ended.filter(({ rule }) => !byName.has(rule))];
  const kept = keepAlerts(all, { rules: byName, episodes: status.episodes, isSettled: (alert) => isSettled(alert, byName.get(alert.rule), destinations), now });
  const times = [...advanced.flatMap((one) => one.times), ...kept.nextAt];
  return { alerts: isSameList(alerts, kept.alerts) ? alerts : kept.alerts, nextAt: earliest(times.filter((at) => at > now.getTime())) };
}

function advanceRule(alerts: readonly Alert[], rule: AlertRule, round: Round): Advanced {
  if (rule.match.status !== undefined) {
    return [...new Set(rule.match.status)].reduce<Advanced>(
      (before, state) => {
        const { alerts: after, ripeAt } = advanceState(before.alerts, { state, rule, round });
        return { alerts: after, times: ripeAt === undefined ? before.times : [...before.times, ripeAt] };
      },
      { alerts, times: [] },
    );
  }
  const sorted = sortEpisodes(alerts, rule, round);
  const told = advanceDrift(alerts, { rule, sorted, round });
  return { alerts: rule.sendHealed ? advanceHealed(told, { rule, sorted, round }) : told, times: sorted.nextAt };
}

/** Whether a rule still is about what an alert is about. */
function isAbout(rule: AlertRule | undefined, { about }: Alert): boolean {
  if (rule === undefined) return false;
  if (about === undefined || about === 'healed') return rule.match.status === undefined;
  return rule.match.status?.includes(about) ?? false;
}

function isSameList(before: readonly Alert[], after: readonly Alert[]): boolean {
  return before.length === after.length && after.every((alert, at) => alert === before[at]);
}

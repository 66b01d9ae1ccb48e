import type { Alert, AlertRule } from '../model/index.ts';
import { contentOf } from './advance-drift.ts';
import type { SortedEpisodes } from './sort-episodes.ts';
import { firedAgain, raised, resolved, type Round } from './transition.ts';

// While a destination cannot be told, the others hear of some twice rather than the list growing.
const mostWaiting = 3;

/** What was healed becomes an alert that is over as it fires, or joins one that nobody has heard of. Being in an alert is what marks it as told. */
export function advanceHealed(alerts: readonly Alert[], { rule, sorted, round }: { readonly rule: AlertRule; readonly sorted: SortedEpisodes; readonly round: Round }): readonly Alert[] {
  const { healed, listed } = sorted;
  if (healed.length === 0) return alerts;
  const waiting = alerts.filter((alert) => alert.about === 'healed' && !round.isSettled(alert, rule));
  const [newest] = waiting;
  if (newest === undefined || (waiting.length < mostWaiting && isKnown(newest))) return [resolved(raised({ about: 'healed', ...contentOf(healed) }, rule, round), rule, round), ...alerts];
  const before = listed.filter(({ id }) => newest.episodes.includes(id));
  const joined = resolved(firedAgain(newest, contentOf([...before, ...healed]), round), rule, round);
  return alerts.map((alert) => (alert === newest ? joined : alert));
}

/** Whether somebody has heard of it, or is about to. */
function isKnown({ deliveries }: Alert): boolean {
  return Object.values(deliveries).some(({ toldAt, claim, dead }) => toldAt !== null || claim !== undefined || dead !== undefined);
}

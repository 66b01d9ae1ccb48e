import type { Alert, AlertedState, AlertRule } from '../model/index.ts';
import { fingerprint } from './fingerprint.ts';
import { isUnderWay, stateOf, successIn } from './state-of.ts';
import { firedAgain, hasLasted, isSameAgain, raised, resolved, type Content, type Round } from './transition.ts';

/** The alerts of a rule after a look at one state of the application, newest first, and when the state will have lasted long enough. */
export function advanceState(alerts: readonly Alert[], { state, rule, round }: { readonly state: AlertedState; readonly rule: AlertRule; readonly round: Round }): { readonly alerts: readonly Alert[]; readonly ripeAt?: number } {
  const current = alerts.find(({ about }) => about === state);
  const replaced = (next: Alert): readonly Alert[] => alerts.map((alert) => (alert === current ? next : alert));
  if (state === 'SyncSucceeded') {
    const next = succeeded(current, rule, round);
    return { alerts: next === undefined ? alerts : next.id === current?.id ? replaced(next) : [next, ...alerts] };
  }
  const seen = stateOf(state, rule, round);
  const firing = current?.resolvedAt === null ? current : undefined;
  if (seen.type === 'unclear') return { alerts };
  if (seen.type === 'absent') return { alerts: firing === undefined ? alerts : replaced(resolved(firing, rule, round)) };
  // Who sees nothing does not see the sync either, and it will not end.
  if (isUnderWay(round.status.operation) && state !== 'Unknown') return { alerts };
  const content: Content = { about: state, startedAt: seen.since, episodes: [], parts: seen.parts };
  if (firing !== undefined) return { alerts: firing.fingerprint === fingerprint(seen.parts) ? alerts : replaced(firedAgain(firing, content, round)) };
  if (!hasLasted(seen.since, rule, round.now)) return { alerts, ripeAt: Date.parse(seen.since) + rule.forMs };
  if (current !== undefined && (isSameAgain(current, seen.since, rule) || !round.isSettled(current, rule))) return { alerts: replaced(firedAgain(current, content, round)) };
  return { alerts: [raised(content, rule, round), ...alerts] };
}

/** Nothing that lasts: it is over as it fires, once for each operation. */
function succeeded(current: Alert | undefined, rule: AlertRule, round: Round): Alert | undefined {
  const operation = successIn(rule, round, round.now);
  if (operation === undefined) return undefined;
  const content: Content = { about: 'SyncSucceeded', startedAt: operation.startedAt, episodes: [], parts: [round.application.id, 'SyncSucceeded', operation.id] };
  if (current?.fingerprint === fingerprint(content.parts)) return undefined;
  const fired = current === undefined || round.isSettled(current, rule) ? raised(content, rule, round) : firedAgain(current, content, round);
  return resolved(fired, rule, round);
}

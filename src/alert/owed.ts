import type { Alert, AlertRule, Delivery } from '../model/index.ts';

/** Who can be told. */
export interface Destinations {
  readonly names: readonly string[];
  /** Those that are gone: nothing is sent there, and nothing is owed. */
  readonly disabled: readonly string[];
}

export type News = 'firing' | 'changed' | 'repeated' | 'resolved';

const untold: Delivery = { told: 0, toldAt: null, toldState: null };

export function deliveryOf({ deliveries }: Alert, destination: string): Delivery {
  return Object.hasOwn(deliveries, destination) ? (deliveries[destination] ?? untold) : untold;
}

/** Those of a rule that can be told; undefined destinations: all of them. */
export function reachable({ destinations }: AlertRule, known: Destinations | undefined): readonly string[] {
  const distinct = [...new Set(destinations)];
  return known === undefined ? distinct : distinct.filter((name) => known.names.includes(name) && !known.disabled.includes(name));
}

/** What a destination has yet to be told of an alert; undefined where it knows all that it should. */
export function owedNews(alert: Alert, { sendResolved }: AlertRule, { told, toldState, dead }: Delivery): Exclude<News, 'repeated'> | undefined {
  const since = alert.transition - Math.max(told, dead?.transition ?? 0);
  if (since <= 0) return undefined;
  if (alert.resolvedAt === null) return toldState === 'firing' ? 'changed' : 'firing';
  // One is the end of what was known to fire. With more something fired that nobody has been told of, and its end tells of it.
  if (since > 1) return 'resolved';
  return sendResolved && toldState === 'firing' ? 'resolved' : undefined;
}

/** Whether everybody has been told, or could not be. */
export function isSettled(alert: Alert, rule: AlertRule | undefined, known?: Destinations): boolean {
  if (rule === undefined) return true;
  return reachable(rule, known).every((destination) => {
    const delivery = deliveryOf(alert, destination);
    return delivery.claim === undefined && owedNews(alert, rule, delivery) === undefined;
  });
}

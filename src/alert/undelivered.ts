import { wholeSeconds, type Alert, type AlertRule, type Condition } from '../model/index.ts';

/** Shorter trouble is what retries are for. */
export const namedAfterMs = 15 * 60_000;

const type = 'AlertsNotDelivered';

interface Telling {
  readonly rules: readonly AlertRule[];
  /** Names of those that there are. */
  readonly destinations: readonly string[];
  readonly now: Date;
}

/** The conditions with what destinations have not taken for long: whoever reads the status should know that people were not told. The same ones where nothing is new. */
export function withUndelivered(conditions: readonly Condition[], alerts: readonly Alert[], telling: Telling): readonly Condition[] {
  const before = conditions.find((condition) => condition.type === type);
  const message = undeliveredIn(alerts, telling);
  if (message === before?.message) return conditions;
  const others = conditions.filter((condition) => condition !== before);
  if (message === undefined) return others;
  return [...others, { type, status: 'True', reason: 'DestinationFails', message, lastTransitionTime: before?.lastTransitionTime ?? wholeSeconds(telling.now) }];
}

/** Those of the dispatcher, which a look leaves as they are. */
export function isOfDelivery(condition: Condition): boolean {
  return condition.type === type;
}

function undeliveredIn(alerts: readonly Alert[], telling: Telling): string | undefined {
  const late = failing(alerts, telling).filter(({ at }) => telling.now.getTime() - Date.parse(at) >= namedAfterMs);
  const oldest = new Map<string, { readonly at: string; readonly error: string }>();
  for (const { destination, at, error } of late) if (at < (oldest.get(destination)?.at ?? '~')) oldest.set(destination, { at, error });
  if (oldest.size === 0) return undefined;
  return [...oldest].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([destination, { at, error }]) => `${destination} has not taken what was to be told at ${at}: ${error}`).join('; ').slice(0, 1024);
}

/** What was to be told to somebody who is not to be told any more is nobody's trouble. */
function failing(alerts: readonly Alert[], { rules, destinations }: Telling): readonly { readonly destination: string; readonly at: string; readonly error: string }[] {
  return alerts.flatMap(({ rule, deliveries }) =>
    Object.entries(deliveries).flatMap(([destination, { claim }]) => {
      if (claim?.error === undefined || !destinations.includes(destination)) return [];
      const isTold = rules.some(({ name, destinations: told }) => name === rule && told.includes(destination));
      return isTold ? [{ destination, at: claim.at, error: claim.error }] : [];
    }),
  );
}

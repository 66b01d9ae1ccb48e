import { wholeSeconds, type Alert, type Condition } from '../model/index.ts';

/** Shorter trouble is what retries are for. */
export const namedAfterMs = 15 * 60_000;

const type = 'AlertsNotDelivered';

/** The conditions with what destinations have not taken for long: whoever reads the status should know that people were not told. The same ones where nothing is new. */
export function withUndelivered(conditions: readonly Condition[], alerts: readonly Alert[], now: Date): readonly Condition[] {
  const before = conditions.find((condition) => condition.type === type);
  const message = undeliveredIn(alerts, now);
  if (message === before?.message) return conditions;
  const others = conditions.filter((condition) => condition !== before);
  if (message === undefined) return others;
  return [...others, { type, status: 'True', reason: 'DestinationFails', message, lastTransitionTime: before?.lastTransitionTime ?? wholeSeconds(now) }];
}

/** Those of the dispatcher, which a look leaves as they are. */
export function isOfDelivery(condition: Condition): boolean {
  return condition.type === type;
}

function undeliveredIn(alerts: readonly Alert[], now: Date): string | undefined {
  const late = failing(alerts).filter(({ at }) => now.getTime() - Date.parse(at) >= namedAfterMs);
  const oldest = new Map<string, { readonly at: string; readonly error: string }>();
  for (const { destination, at, error } of late) if (at < (oldest.get(destination)?.at ?? '~')) oldest.set(destination, { at, error });
  if (oldest.size === 0) return undefined;
  return [...oldest].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([destination, { at, error }]) => `${destination} has not taken what was to be told at ${at}: ${error}`).join('; ').slice(0, 1024);
}

function failing(alerts: readonly Alert[]): readonly { readonly destination: string; readonly at: string; readonly error: string }[] {
  return alerts.flatMap(({ deliveries }) =>
    Object.entries(deliveries).flatMap(([destination, { claim }]) => (claim?.error === undefined ? [] : [{ destination, at: claim.at, error: claim.error }])),
  );
}

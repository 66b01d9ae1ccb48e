import type { Alert } from '../model/index.ts';

/** A dead letter becomes due again under its own id. The same alert where it has none of this id, or something else is on its way there. */
export function replay(alert: Alert, notification: string, now: Date): Alert {
  const at = now.toISOString();
  const due = Object.entries(alert.deliveries).flatMap(([destination, { dead, ...delivery }]) => {
    if (dead?.notification !== notification || delivery.claim !== undefined) return [];
    const { transition, state } = dead;
    return [[destination, { ...delivery, claim: { notification, transition, ...(state === undefined ? {} : { state }), at, attempts: 0, nextTryAt: at } }] as const];
  });
  return due.length === 0 ? alert : { ...alert, deliveries: { ...alert.deliveries, ...Object.fromEntries(due) } };
}

import type { Alert, Claim } from '../model/index.ts';
import { deliveryOf } from './owed.ts';
import type { PlannedNotification } from './planned-notification.ts';

/** On record before it is sent. The same alert where it is not part of the notification or something is claimed for that destination. */
export function claimAlert(alert: Alert, { id, destination, members }: PlannedNotification, now: Date): Alert {
  const member = members.find((one) => one.alert === alert.id);
  const delivery = deliveryOf(alert, destination);
  if (member === undefined || delivery.claim !== undefined) return alert;
  const at = now.toISOString();
  const claim: Claim = { notification: id, transition: member.transition, state: member.state, at, attempts: 0, nextTryAt: at };
  return { ...alert, deliveries: { ...alert.deliveries, [destination]: { ...delivery, claim } } };
}

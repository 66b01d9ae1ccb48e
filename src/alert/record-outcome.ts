import type { Alert, Claim, Delivery, SendOutcome } from '../model/index.ts';
import { deliveryOf } from './owed.ts';

interface Attempt {
  readonly outcome: SendOutcome;
  /** What was sent says how it was then: whatever is newer has yet to be told. */
  readonly describedAt: Date;
  readonly now: Date;
  readonly random: () => number;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const delaysMs: readonly number[] = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 6 * hour];
const jitter = 0.2;
// A destination that asks for more has no idea of time.
const longestWaitMs = 24 * hour;
const longestError = 300;

/** The delivery record after an attempt to send what is claimed. The same alert where nothing is. */
export function recordOutcome(alert: Alert, destination: string, attempt: Attempt): Alert {
  const { claim, ...delivery } = deliveryOf(alert, destination);
  if (claim === undefined) return alert;
  return { ...alert, deliveries: { ...alert.deliveries, [destination]: after(delivery, claim, attempt) } };
}

function after(delivery: Omit<Delivery, 'claim'>, claim: Claim, { outcome, describedAt, now, random }: Attempt): Delivery {
  switch (outcome.type) {
    case 'sent':
      return sent(delivery, claim, { ref: outcome.ref, describedAt });
    case 'retry': {
      const delayMs = delaysMs[claim.attempts];
      if (delayMs === undefined) return buried(delivery, claim, { why: outcome.why, now });
      const waitMs = Math.max(delayMs * (1 - jitter + 2 * jitter * random()), Math.min(outcome.afterMs ?? 0, longestWaitMs));
      const nextTryAt = new Date(now.getTime() + Math.round(waitMs)).toISOString();
      return { ...delivery, claim: { ...claim, attempts: claim.attempts + 1, nextTryAt, error: outcome.why.slice(0, longestError) } };
    }
    case 'refused':
    case 'gone':
      return buried(delivery, claim, { why: outcome.why, now });
  }
}

function sent(delivery: Omit<Delivery, 'claim'>, { transition, state = 'firing' }: Claim, { ref, describedAt }: { readonly ref: string | undefined; readonly describedAt: Date }): Delivery {
  // A dead letter that is sent after all may be older than what was told since.
  const told = transition >= delivery.told ? { told: transition, toldState: state } : {};
  return { ...delivery, ...told, toldAt: describedAt.toISOString(), ...(ref === undefined ? {} : { ref }) };
}

function buried(delivery: Omit<Delivery, 'claim'>, { notification, transition, state }: Claim, { why, now }: { readonly why: string; readonly now: Date }): Delivery {
  return { ...delivery, dead: { notification, transition, ...(state === undefined ? {} : { state }), at: now.toISOString(), error: why.slice(0, longestError) } };
}

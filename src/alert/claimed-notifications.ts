import type { Claim, Delivery } from '../model/index.ts';
import type { Candidate } from './candidates.ts';
import { latest } from './instant.ts';
import { familyOf, notificationType } from './notification-type.ts';
import type { News } from './owed.ts';
import type { PlannedMember, PlannedNotification } from './planned-notification.ts';

export interface Claimed {
  readonly notification: PlannedNotification;
  readonly dueAt: number;
  readonly claimedAt: number;
}

/** What is on record as about to be sent: under the same id, with exactly those that carry it. */
export function claimedNotifications(destination: string, candidates: readonly Candidate[]): readonly Claimed[] {
  const claimed = candidates.flatMap((candidate) => (candidate.delivery.claim === undefined ? [] : [{ ...candidate, claim: candidate.delivery.claim }]));
  return [...Map.groupBy(claimed, ({ claim }) => claim.notification)].map(([id, some]) => ({
    notification: {
      ...{ id, destination, isClaimed: true },
      type: notificationType(some[0] === undefined ? 'drift' : familyOf(some[0].alert), some.map(newsOf)),
      members: some.map(({ place, alert, claim }): PlannedMember => ({ application: place.application.id, alert: alert.id, transition: claim.transition, state: claim.state ?? 'firing' })),
    },
    dueAt: latest(some.map(({ claim }) => claim.nextTryAt)),
    claimedAt: Math.min(...some.map(({ claim }) => Date.parse(claim.at))),
  }));
}

/** What it was when it was claimed: that does not change by what has happened since. */
function newsOf({ delivery: { told, toldState }, claim }: { readonly delivery: Delivery; readonly claim: Claim }): News {
  if (claim.state === 'resolved') return 'resolved';
  if (toldState !== 'firing') return 'firing';
  return claim.transition > told ? 'changed' : 'repeated';
}

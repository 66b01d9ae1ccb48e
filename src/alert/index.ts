// The status before and after a look, rules and what was told so far in → episodes, alerts and the notifications that are due, out. Pure.
export { activeMutes, type ActiveMute, type Mute } from './active-mutes.ts';
export { advanceAlerts } from './advance-alerts.ts';
export { advanceEpisodes, markCorrected } from './advance-episodes.ts';
export type { AlertingApplication } from './candidates.ts';
export { claimAlert } from './claim-alert.ts';
export { describeNotification } from './describe-notification.ts';
export { matches, type Subject } from './matches.ts';
export { mutedBy } from './muted-by.ts';
export { planNotifications, type PlanInput } from './plan-notifications.ts';
export type { PlannedMember, PlannedNotification } from './planned-notification.ts';
export { recordOutcome } from './record-outcome.ts';
export { replay } from './replay.ts';
export { isOfDelivery, namedAfterMs, withUndelivered } from './undelivered.ts';

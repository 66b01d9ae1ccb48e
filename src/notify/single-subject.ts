import type { AlertedApplication, Notification, NotificationType } from '../model/index.ts';

const ends: Readonly<Partial<Record<NotificationType, NotificationType>>> = {
  'drift.firing': 'drift.resolved',
  'drift.changed': 'drift.resolved',
  'drift.repeated': 'drift.resolved',
  'sync.failed': 'sync.succeeded',
  'agent.blind': 'agent.recovered',
};

/** What the notification says of one application, which may be over while others in it are not. */
export function singleSubject(notification: Notification, subject: AlertedApplication): Notification {
  const { rule, type } = notification;
  return {
    ...notification,
    type: subject.alert.endedAt === null ? type : (ends[type] ?? type),
    rule: subject.rule ?? rule,
    subjects: [subject],
    truncatedSubjects: 0,
  };
}

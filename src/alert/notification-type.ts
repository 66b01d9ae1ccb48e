import type { Alert, NotificationType } from '../model/index.ts';
import type { News } from './owed.ts';

/** Alerts that can be told in one message. */
export type Family = 'drift' | 'healed' | 'blind' | 'sync';

const types: Readonly<Record<Family, Readonly<Record<News, NotificationType>>>> = {
  drift: { firing: 'drift.firing', changed: 'drift.changed', repeated: 'drift.repeated', resolved: 'drift.resolved' },
  healed: { firing: 'drift.healed', changed: 'drift.healed', repeated: 'drift.healed', resolved: 'drift.healed' },
  blind: { firing: 'agent.blind', changed: 'agent.blind', repeated: 'agent.blind', resolved: 'agent.recovered' },
  sync: { firing: 'sync.failed', changed: 'sync.failed', repeated: 'sync.failed', resolved: 'sync.succeeded' },
};

const families: Readonly<Record<NonNullable<Alert['about']>, Family>> = {
  Unknown: 'blind',
  SyncFailed: 'sync',
  SyncSucceeded: 'sync',
  Contested: 'drift',
  Degraded: 'drift',
  healed: 'healed',
};

const byWeight: readonly News[] = ['firing', 'changed', 'repeated', 'resolved'];

export function familyOf({ about }: Alert): Family {
  return about === undefined ? 'drift' : families[about];
}

/** What a message is called that has several things to tell: by the weightiest of them. */
export function notificationType(family: Family, news: readonly News[]): NotificationType {
  return types[family][byWeight.find((one) => news.includes(one)) ?? 'resolved'];
}

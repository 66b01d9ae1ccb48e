import type { NotificationType } from '../model/index.ts';

/** One alert in a notification, and what is told of it. */
export interface PlannedMember {
  /** The id of the application. */
  readonly application: string;
  readonly alert: string;
  readonly transition: number;
  readonly state: 'firing' | 'resolved';
}

export interface PlannedNotification {
  readonly id: string;
  readonly destination: string;
  readonly type: NotificationType;
  /** At least one. */
  readonly members: readonly PlannedMember[];
  /** It is on record already: it is sent again, or was never sent because of a crash. */
  readonly isClaimed: boolean;
}

import type { Cause } from './verdict.ts';

/** The time from the first sight of a difference to the next sight of none. */
export interface Episode {
  readonly id: string;
  readonly openedAt: string;
  readonly closedAt: string | null;
  readonly cause: Cause;
  /** What differs, by resource and field path, values left out: a change of it is worth telling. */
  readonly fingerprint: string;
  /** How often something worth telling was told of this episode. */
  readonly transitions: number;
}

export type TransitionType = 'firing' | 'changed' | 'resolved';

/** Something worth telling that has not reached its destination yet. `key` is the same in every copy that is sent. */
export interface PendingAlert {
  readonly key: string;
  readonly type: TransitionType;
  readonly episodeId: string;
  readonly at: string;
}

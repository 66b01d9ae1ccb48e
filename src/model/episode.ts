import type { ResourceKey } from './resource-key.ts';
import type { Cause } from './verdict.ts';

/** One resource's difference of one cause, from its first sight to the next sight of none. */
export interface Episode {
  readonly id: string;
  /** `*` stands for all that did not fit into the list. */
  readonly key: ResourceKey | '*';
  readonly cause: Cause;
  readonly openedAt: string;
  readonly closedAt: string | null;
  /** Names the resource and the paths of what differs, values left out: another value is the same episode. */
  readonly fingerprint: string;
  /** What differs, as people write paths. Bounded. */
  readonly fields: readonly string[];
  /** Who changed it, as far as that is known. */
  readonly by?: string;
  /** When something was applied against it. */
  readonly correctedAt?: string;
  /** Each time that happened, the last few: it may be changed again before anybody sees that it was put back. */
  readonly corrections?: readonly string[];
}

/** What is told of an application: from the first sight of a difference to the next sight of none. */
export interface Incident {
  readonly id: string;
  readonly openedAt: string;
  readonly closedAt: string | null;
  readonly cause: Cause;
  /** What differs, by resource and field path, values left out: a change of it is worth telling. */
  readonly fingerprint: string;
  /** How often something worth telling was told of this incident. */
  readonly transitions: number;
}

export type TransitionType = 'firing' | 'changed' | 'resolved';

/** Something worth telling that has not reached its destination yet. `key` is the same in every copy that is sent. */
export interface PendingAlert {
  readonly key: string;
  readonly type: TransitionType;
  readonly incidentId: string;
  readonly at: string;
}

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
  /** Somebody said that nobody wants to hear of it. */
  readonly ignored?: true;
}

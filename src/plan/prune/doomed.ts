import type { ResourceKey } from '../../model/index.ts';
import type { Hold } from '../candidate.ts';
import type { LiveFacts } from '../live-facts.ts';
import type { PlanInput } from '../plan-input.ts';

/** Something live that we applied once. */
export interface Doomed {
  readonly key: ResourceKey;
  /** As we recorded it. */
  readonly uid: string;
  readonly facts: LiveFacts;
}

export type Refusal = Pick<Hold, 'code' | 'why'>;

/** One reason not to delete something; undefined where it does not apply. */
export type PruneGuard = (doomed: Doomed, input: PlanInput) => Refusal | undefined;

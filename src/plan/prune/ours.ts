import { trackingId } from '../tracking-id.ts';
import type { PruneGuard } from './doomed.ts';

/** An annotation may have been copied with the rest of an object: ours names the object that it is on. */
export const ours: PruneGuard = ({ key, facts }, { application }) => {
  const wanted = trackingId(application.id, key);
  if (facts.trackedBy === wanted) return undefined;
  const got = facts.trackedBy === undefined ? 'carries no tracking annotation' : `carries the tracking annotation "${facts.trackedBy}"`;
  return { code: 'NotOurs', why: `it ${got}, and not "${wanted}": it is not deleted` };
};

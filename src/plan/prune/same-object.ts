import type { PruneGuard } from './doomed.ts';

export const sameObject: PruneGuard = ({ uid, facts }) =>
  facts.uid === uid && uid !== '' ? undefined : { code: 'NotOurs', why: `somebody deleted it and made it anew: ours had the UID ${uid}, this one has ${facts.uid}` };

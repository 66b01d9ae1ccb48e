import type { PruneGuard } from './doomed.ts';

/** Hooks alone are nothing: they are run, not kept. */
export const notEmpty: PruneGuard = (_doomed, { judged }) =>
  judged.size > 0 ? undefined : { code: 'EmptyRender', why: 'nothing is pruned while the source declares nothing at all: delete the Application if that is meant' };

import type { PruneGuard } from './doomed.ts';

export const settled: PruneGuard = (_doomed, { render }) =>
  render.isSettled ? undefined : { code: 'NotSettled', why: 'pruned when a second look at the same commit finds it missing too' };

import type { PruneGuard } from './doomed.ts';

export const wholeRender: PruneGuard = (_doomed, { render, findings }) => {
  const unread = findings.find(({ severity }) => severity === 'error');
  if (render.isWhole && unread === undefined) return undefined;
  return { code: 'HalfRead', why: `nothing is pruned while ${unread === undefined ? 'not all of the source was rendered' : `${unread.origin} cannot be read`}: it may declare this` };
};

import type { Diff } from '../../model/index.ts';
import { oneLine } from './printable.ts';

export interface Note {
  readonly sign: '!' | '?';
  readonly text: string;
}

const obstacles = { replace: 'sync would need to delete and create it', denied: 'sync would be denied' } as const;

/** What is to be said of a resource as a whole: what keeps a sync from working, what is not certain, and warnings. */
export function notesOf(diff: Diff): readonly Note[] {
  if (diff.type !== 'changed' && diff.type !== 'same') return [];
  const { obstacle, unconfirmed } = diff.type === 'changed' ? diff : {};
  return [
    ...(obstacle === undefined ? [] : [{ sign: '!' as const, text: `${obstacles[obstacle.type]}: ${oneLine(obstacle.message)}` }]),
    ...(unconfirmed === undefined ? [] : [{ sign: '?' as const, text: `not confirmed by the server: ${oneLine(unconfirmed)}` }]),
    ...diff.warnings.map((warning) => ({ sign: '!' as const, text: oneLine(warning) })),
  ];
}

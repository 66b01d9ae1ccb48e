import { optionOf } from '../sync-options.ts';
import type { PruneGuard } from './doomed.ts';

function unless(name: 'Prune' | 'Delete'): PruneGuard {
  return ({ facts }, { application }) => {
    const [problem] = facts.marks.problems;
    if (problem !== undefined) return { code: 'PruneDisabled', why: `it is not deleted while what it says of that cannot be read: ${problem}` };
    return optionOf(name, facts.marks.options, application.syncOptions) === 'false' ? { code: 'PruneDisabled', why: `it is not deleted: ${name}=false` } : undefined;
  };
}

export const mayBePruned = unless('Prune');
export const mayBeDeleted = unless('Delete');

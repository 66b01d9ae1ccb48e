import { isSoftware, type Diff, type Judgement, type Step } from '../model/index.ts';
import { inApplyOrder } from './kind-order.ts';
import { whyContested, type Held } from './take-over.ts';

/** Applies what is missing or changed. Deletes nothing. */
export function planSync({ resources, findings }: Judgement): readonly Step[] {
  const unread = findings.find(({ severity }) => severity === 'error');
  const diffs = resources.map(({ diff }) => diff).toSorted((a, b) => inApplyOrder(a.key, b.key));
  return diffs.flatMap((diff) => stepFor(diff, unread?.origin));
}

function stepFor(diff: Diff, unread: string | undefined): readonly Step[] {
  const { key, type } = diff;
  switch (type) {
    case 'same':
      return [];
    case 'invalid':
      return [{ type: 'hold', key, why: diff.message }];
    case 'unknown':
      return [{ type: 'hold', key, why: `not compared: ${diff.message}` }];
    case 'terminating':
      return [{ type: 'hold', key, why: diff.message }];
    case 'missing':
    case 'changed': {
      const obstacle = obstacleTo(diff);
      if (obstacle !== undefined) return [{ type: 'hold', key, why: obstacle }];
      // Half of a commit may be worse than none of it.
      if (unread !== undefined) return [{ type: 'hold', key, why: `nothing is applied while ${unread} cannot be read` }];
      return [{ type: 'apply', key }];
    }
  }
}

/** Why an apply could not, or must not, make the change. */
function obstacleTo(diff: Extract<Diff, { type: 'missing' | 'changed' }>): string | undefined {
  if (diff.type === 'missing') return diff.waitsFor === undefined ? undefined : `waits for ${diff.waitsFor}`;
  if (diff.obstacle?.type === 'replace') return `it would have to be deleted and created again: ${diff.obstacle.message}`;
  if (diff.obstacle?.type === 'denied') return diff.obstacle.message;
  const held = contestedFields(diff);
  // The server sees it too, but for a key of a Secret that was written as text.
  if (held.length > 0) return whyContested(held);
  const [orphan] = diff.changes.every(({ standing }) => standing === 'orphaned') ? diff.changes : [];
  return orphan === undefined ? undefined : `an apply leaves ${orphan.display}, which Git no longer has: remove it by hand`;
}

function contestedFields({ changes }: Extract<Diff, { type: 'changed' }>): readonly Held[] {
  return changes
    .filter(({ standing }) => standing === 'contested')
    .flatMap(({ display, owners }) => owners.filter(({ manager }) => isSoftware(manager)).map(({ manager }) => ({ field: display, manager })));
}

import type { Diff, Judgement, Step } from '../model/index.ts';
import { inApplyOrder } from './kind-order.ts';

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
    case 'missing':
    case 'changed':
      // Half of a commit may be worse than none of it.
      if (unread !== undefined) return [{ type: 'hold', key, why: `nothing is applied while ${unread} cannot be read` }];
      return [{ type: 'apply', key }];
  }
}

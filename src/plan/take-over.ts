import { isByHand } from '../model/index.ts';

export type TakeOver = { readonly type: 'take' } | { readonly type: 'leave'; readonly why: string };

interface Held {
  readonly field: string;
  readonly manager: string;
}

/** Whether an apply may take fields from those who hold them at other values: from people yes, from software never silently. */
export function takeOver(conflicts: readonly Held[]): TakeOver {
  const contested = conflicts.filter(({ manager }) => !isByHand(manager) && manager !== 'before-first-apply');
  if (contested.length === 0) return { type: 'take' };
  const holders = contested.map(({ field, manager }) => `${field} (${manager})`).join(', ');
  return { type: 'leave', why: `contested: other software holds ${holders}; remove the field from Git or stop that software` };
}

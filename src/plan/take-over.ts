import { countsAsPeople } from '../model/index.ts';

export type TakeOver = { readonly type: 'take' } | { readonly type: 'leave'; readonly why: string };

export interface Held {
  readonly field: string;
  readonly manager: string;
}

/** Whether an apply may take fields from those who hold them at other values: from people yes, from software never silently. */
export function takeOver(conflicts: readonly Held[]): TakeOver {
  const contested = conflicts.filter(({ manager }) => !countsAsPeople(manager));
  if (contested.length === 0) return { type: 'take' };
  return { type: 'leave', why: whyContested(contested) };
}

export function whyContested(held: readonly Held[]): string {
  const holders = held.map(({ field, manager }) => `${field} (${manager})`).join(', ');
  return `contested: other software holds ${holders}; remove the field from Git or stop that software`;
}

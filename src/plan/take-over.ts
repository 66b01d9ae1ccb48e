/** Names under which people write by hand; a controller or another deploy tool is not among them. */
const byHand = [/^kubectl(?:-|$)/, /^before-first-apply$/, /^k9s$/i, /^(?:open|free)?lens$/i, /^headlamp/i, /^rancher$/i, /^Mozilla$/];

export type TakeOver = { readonly type: 'take' } | { readonly type: 'leave'; readonly why: string };

interface Held {
  readonly field: string;
  readonly manager: string;
}

/** Whether an apply may take fields from those who hold them at other values: from people yes, from software never silently. */
export function takeOver(conflicts: readonly Held[]): TakeOver {
  const contested = conflicts.filter(({ manager }) => !byHand.some((pattern) => pattern.test(manager)));
  if (contested.length === 0) return { type: 'take' };
  const holders = contested.map(({ field, manager }) => `${field} (${manager})`).join(', ');
  return { type: 'leave', why: `contested: other software holds ${holders}; remove the field from Git or stop that software` };
}

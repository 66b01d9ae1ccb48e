import type { SendOutcome } from '../model/index.ts';

/**
 * One request after the other. What is worth another try ends it, and then all of them are sent again: only for
 * services to which a second copy is the same one.
 */
export async function sendEach<T>(items: readonly T[], send: (item: T) => Promise<SendOutcome>): Promise<SendOutcome> {
  const refused: string[] = [];
  for (const item of items) {
    const outcome = await send(item);
    if (outcome.type === 'retry' || outcome.type === 'gone') return outcome;
    if (outcome.type === 'refused') refused.push(outcome.why);
  }
  const [first] = refused;
  if (first === undefined) return { type: 'sent' };
  return { type: 'refused', why: items.length === 1 ? first : `${refused.length} of ${items.length} were refused, the first because ${first}` };
}

import type { Json } from '../../model/index.ts';
import type { Reading } from './provider.ts';

/** What a push amounts to: of what was found in it, only texts count as addresses. */
export function moved(addresses: readonly (Json | undefined)[], references: readonly string[] | 'any'): Reading {
  const texts = addresses.filter((address) => typeof address === 'string');
  if (texts.length === 0) return { type: 'other', why: 'the event names no repository' };
  if (references.length === 0) return { type: 'other', why: 'no branch or tag points to a new commit' };
  return { type: 'moved', addresses: texts, references };
}

export const notAPush: Reading = { type: 'other', why: 'the event is not a push' };

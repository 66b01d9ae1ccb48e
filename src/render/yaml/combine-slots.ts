import type { GoScalar } from './go-scalars.ts';
import type { GoEntry } from './go-value.ts';
import type { Warn } from './yaml-finding.ts';

/** An entry before its map is complete: others may follow with the same key, from the text or from a merge. */
export interface Slot extends GoEntry {
  readonly origin: 'written' | 'merged';
}

/** What a map holds in the end: Go fills it in the order of the text, and the last entry of a key counts. */
export function combineSlots(slots: readonly Slot[], warn: Warn): readonly GoEntry[] {
  const kept = new Map<string, Slot>();
  for (const slot of slots) {
    const identity = identityOf(slot.key, kept.size);
    const before = kept.get(identity);
    if (before?.origin === 'written' && slot.origin === 'written') {
      warn({ code: 'duplicate-key', offset: slot.offset, message: `the key ${slot.text} is there twice: the last one counts` });
    }
    if (before?.origin === 'written' && slot.origin === 'merged') {
      warn({ code: 'merge-order', offset: before.offset, message: `the key ${before.text} loses to the one of the << below it` });
    }
    kept.set(identity, slot);
  }
  return [...kept.values()];
}

/** What Go's map compares: the type and the value. Not-a-number is equal to nothing. */
function identityOf(key: GoScalar, unique: number): string {
  if (key.kind === 'null') return 'null';
  return `${key.kind} ${String(key.value)}${Number.isNaN(key.value) ? ` ${unique}` : ''}`;
}

import { createHash } from 'node:crypto';

/** The same for the same parts, in whatever order they come and however often. */
export function fingerprint(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify([...new Set(parts)].toSorted())).digest('hex').slice(0, 12);
}

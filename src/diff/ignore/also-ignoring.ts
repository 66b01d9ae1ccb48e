import type { ObjectIgnores } from './object-ignores.ts';
import { readEntry } from './read-entry.ts';

/** What is ignored of an object, and a field more. */
export function alsoIgnoring(ignores: ObjectIgnores | undefined, pointer: string): ObjectIgnores {
  const { paths, managers } = readEntry('jsonPointers', pointer);
  return { paths: [...(ignores?.paths ?? []), ...paths], managers: [...(ignores?.managers ?? []), ...managers] };
}

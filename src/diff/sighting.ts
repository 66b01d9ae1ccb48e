import { fieldManager, type ChangeStep, type Sighting } from '../model/index.ts';

/** The last step of a journal that touched a place, something above it or something below it. */
export function sightingOf(path: string, journal: readonly ChangeStep[]): Sighting | undefined {
  const step = journal.findLast(({ paths }) => paths.some((changed) => isWithin(changed, path) || isWithin(path, changed)));
  if (step === undefined) return undefined;
  const { seenAt, notBefore, writers } = step;
  // Our own apply: Git has moved on since, and nobody else has.
  if (writers.length > 0 && writers.every(({ manager }) => manager === fieldManager)) return undefined;
  return notBefore === undefined ? { seenAt, writers } : { seenAt, notBefore, writers };
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || (path.startsWith(outer) && ['.', '['].includes(path.charAt(outer.length)));
}

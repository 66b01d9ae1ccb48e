import { createHash } from 'node:crypto';
import type { Observation } from './observe.ts';

/** The same for two looks that found the same list of resources at the same commit. */
export function renderedName({ judgement, hooks }: Pick<Observation, 'judgement' | 'hooks'>): string {
  return nameOf(judgement.commit, [...judgement.resources.map(({ diff }) => diff.key), ...hooks.map(({ manifest }) => manifest.key)]);
}

export function nameOf(commit: string | null, keys: readonly string[]): string {
  return `${commit ?? ''} ${createHash('sha256').update(keys.toSorted().join('\n')).digest('base64url').slice(0, 16)}`;
}

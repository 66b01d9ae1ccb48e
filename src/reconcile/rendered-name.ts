import { createHash } from 'node:crypto';
import type { Observation } from './observe.ts';

/** The same for two looks that found the same list of resources at the same commit. */
export function renderedName({ judgement, hooks }: Pick<Observation, 'judgement' | 'hooks'>): string {
  const keys = [...judgement.resources.map(({ diff }) => diff.key), ...hooks.map(({ manifest }) => manifest.key)].toSorted();
  return `${judgement.commit ?? ''} ${createHash('sha256').update(keys.join('\n')).digest('base64url').slice(0, 16)}`;
}

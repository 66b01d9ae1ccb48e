import type { Path } from './path.ts';
import { pathPlace } from './path-place.ts';
import { anySides, type Place } from './place.ts';

const identity: readonly (readonly string[])[] = [[], ['apiVersion'], ['kind'], ['metadata'], ['metadata', 'name'], ['metadata', 'namespace']];

/** What of an object's identity a path may lead to; undefined: nothing. Both sides are the same object, so none of it is ever ignored. */
export function identityAt(path: Path, { floats }: { readonly floats: boolean }): string | undefined {
  const root = pathPlace([path, ...(floats ? [anywhere(path)] : [])]);
  const met = identity.find((keys) => follow(root, keys)?.ignored);
  return met === undefined ? undefined : met.length === 0 ? 'the whole object' : met.join('.');
}

/** The same path, from any depth. */
export function anywhere(path: Path): Path {
  return { step: { type: 'deep' }, rest: path };
}

function follow(root: Place | undefined, keys: readonly string[]): Place | undefined {
  return keys.reduce<Place | undefined>((place, key) => place?.entry(key, anySides), root);
}

import type { FieldKeys, KubeObject } from '../model/index.ts';
import { isOurs } from './holders.ts';
import { pointerOf, valueAtKeys } from './json-pointer.ts';
import { holdersAt, isNobodys } from './leftovers.ts';

interface Refused {
  readonly desired: KubeObject;
  readonly live: KubeObject;
  /** What the server named when it refused the object. */
  readonly fields: readonly FieldKeys[];
}

/**
 * Pointers to what stands against what Git wants, though Git does not mention it: the limits of a rolling update, which the server once
 * filled in, where the strategy is to be Recreate. A sync claims it first, so that its apply takes it away. Not what software or another tool holds.
 */
export function obstructingFields({ desired, live, fields }: Refused): readonly string[] {
  const isInTheWay = (keys: FieldKeys): boolean =>
    keys[0] === 'spec' && valueAtKeys(live, keys) !== undefined && valueAtKeys(desired, keys) === undefined && holdersAt(live, keys).every((holder) => isOurs(holder) || isNobodys(holder));
  return fields.filter(isInTheWay).map(pointerOf);
}

import type { AgreedState, KubeObject, Schema } from '../model/index.ts';
import { leafHashes } from './agreed-state.ts';
import { comparable } from './comparable.ts';
import type { Hash } from './content-hash.ts';
import { differingOverlay } from './overlay.ts';

interface Drift {
  readonly desired: KubeObject;
  readonly live: KubeObject;
  /** What both agreed on, when Git already said what it says now. */
  readonly agreed: AgreedState;
  readonly hasStatus: boolean;
  readonly schema: Schema;
}

/**
 * What an apply would make of an object that was as Git says and was changed since. Where that is exactly what it was then, the server
 * has taken it once, and need not be asked; undefined where it is anything else.
 */
export function predictReturn({ desired, live, agreed, hasStatus, schema }: Drift, hash: Hash): KubeObject | undefined {
  const predicted = differingOverlay(desired, live, schema);
  const leaves = leafHashes(comparable(predicted, { hasStatus }), hash);
  const pointers = Object.keys(leaves);
  const isReturn = pointers.length === Object.keys(agreed.live).length && pointers.every((pointer) => agreed.live[pointer] === leaves[pointer]);
  return isReturn ? predicted : undefined;
}

import { displayKey, type Refusal } from '../../model/index.ts';
import type { Target } from '../cluster.ts';
import { applyRefusal, type WriteVerb } from '../object-refusal.ts';
import type { ApiAnswer } from '../transport.ts';

/** Why a write was refused, in a sentence that names the object. */
export function writeRefusal(answer: ApiAnswer, target: Target, verb: WriteVerb): Refusal {
  const refusal = applyRefusal(answer, target, verb);
  const { key, object } = target.manifest;
  const isNamed = refusal.message.includes(`"${object.metadata.name}"`);
  return isNamed ? refusal : { ...refusal, message: `${displayKey(key)}: ${refusal.message}` };
}

/** It is no longer what the write was made for: looked at again, it can be told what is to be done. */
export function unsettled({ manifest }: Target, why: string): Extract<Refusal, { type: 'unknown' }> {
  return { type: 'unknown', code: 'ObjectUnsettled', message: `${displayKey(manifest.key)}: ${why}` };
}

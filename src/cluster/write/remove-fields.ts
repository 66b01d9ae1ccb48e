import { childOf, isList, type Json, type KubeObject, type Patch, type Refusal } from '../../model/index.ts';
import type { Target } from '../cluster.ts';
import { statusBody } from '../refusal.ts';
import { objectOf } from './apply-object.ts';
import { patchObject } from './patch-object.ts';
import { unsettled, writeRefusal } from './write-refusal.ts';
import type { WriteOptions, WriteTransport } from './writing.ts';

export interface FieldRemoval extends WriteOptions {
  /** What the pointers point into, as the server last showed it. */
  readonly seen: KubeObject;
}

export type FieldsRemoved = { readonly type: 'applied'; readonly object: KubeObject } | Refusal;

/** Takes away what Git once had and an apply leaves. Each value is tested first: an item of a list may have moved. */
export async function removeFields(transport: WriteTransport, { target, pointers }: { readonly target: Target; readonly pointers: readonly string[] }, options: FieldRemoval): Promise<FieldsRemoved> {
  const { seen } = options;
  const removals = removalPatch(pointers, seen);
  if (removals.length === 0) return { type: 'applied', object: seen };
  const { resourceVersion } = seen.metadata;
  // With another one in the body the server refuses: somebody has written since, and may have come to hold what would go.
  const patch: Patch = resourceVersion === undefined ? removals : [...removals, { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion }];
  const answer = await patchObject(transport, { target, patch }, options);
  const object = objectOf(answer);
  if (object !== undefined) return { type: 'applied', object };
  // A test that fails is answered with no more than that the request was wrong; what is wrong with the object has causes.
  const isTestFailed = answer.status === 422 && statusBody(answer)?.causes.length === 0;
  return isTestFailed ? unsettled(target, 'the fields to be removed have changed') : writeRefusal(answer, target, 'patch');
}

/** From the end of the object to its beginning, so that items of lists keep their places until their turn comes. */
export function removalPatch(pointers: readonly string[], seen: KubeObject): Patch {
  return pointers.toSorted(fromTheEnd).flatMap((path): Patch => {
    const value = valueAtPointer(seen, path);
    if (value === undefined) return [];
    return [
      { op: 'test', path, value },
      { op: 'remove', path },
    ];
  });
}

function valueAtPointer(root: Json, pointer: string): Json | undefined {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<Json | undefined>((at, key) => {
    if (isList(at)) return at[Number(key)];
    return childOf(at, key.replaceAll('~1', '/').replaceAll('~0', '~'));
  }, root);
}

const byNumber = new Intl.Collator('en', { numeric: true });

function fromTheEnd(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  const at = left.findIndex((key, index) => key !== right[index]);
  return at === -1 ? right.length - left.length : byNumber.compare(right[at] ?? '', left[at] ?? '');
}

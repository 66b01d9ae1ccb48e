import { fieldManager, stringifyJson, type KubeObject, type Refusal } from '../../model/index.ts';
import type { Target } from '../cluster.ts';
import { objectOf } from './apply-object.ts';
import { objectPath } from './target-path.ts';
import { writeRefusal } from './write-refusal.ts';
import { validation, type WriteOptions, type WriteTransport } from './writing.ts';

export interface PutOptions extends WriteOptions {
  /** What is replaced: this very object, as it was seen. */
  readonly live: KubeObject;
}

export type Put = { readonly type: 'applied'; readonly object: KubeObject } | Refusal;

/** Replaces the whole object: what others have added to it goes. */
export async function putObject(transport: WriteTransport, target: Target, options: PutOptions): Promise<Put> {
  const { live, mayWrite, signal } = options;
  const { object } = target.manifest;
  const { uid, resourceVersion } = live.metadata;
  const precondition = { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  mayWrite?.();
  const answer = await transport.send({
    method: 'PUT',
    path: objectPath(target),
    query: { fieldManager, ...validation(options) },
    contentType: 'application/json',
    body: stringifyJson({ ...object, metadata: { ...object.metadata, ...precondition } }),
    signal,
  });
  const written = objectOf(answer);
  return written === undefined ? writeRefusal(answer, target, 'update') : { type: 'applied', object: written };
}

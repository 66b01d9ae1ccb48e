import { fieldManager, stringifyJson, type KubeObject, type Refusal } from '../../model/index.ts';
import type { Target } from '../cluster.ts';
import { statusBody } from '../refusal.ts';
import { objectOf } from './apply-object.ts';
import { placePath } from './target-path.ts';
import { writeRefusal } from './write-refusal.ts';
import { validation, type WriteOptions, type WriteTransport } from './writing.ts';

export interface CreateOptions extends WriteOptions {
  /** Only tried. */
  readonly dryRun: boolean;
}

export type Created =
  | { readonly type: 'created'; readonly object: KubeObject }
  /** One of that name is there. The server says so last: but for that, it would have been created. */
  | { readonly type: 'exists' }
  | Refusal;

export async function createObject(transport: WriteTransport, target: Target, options: CreateOptions): Promise<Created> {
  const { dryRun, mayWrite, signal } = options;
  if (!dryRun) mayWrite?.();
  const answer = await transport.send({
    method: 'POST',
    path: placePath(target),
    query: { fieldManager, ...validation(options), ...(dryRun ? { dryRun: 'All' } : {}) },
    contentType: 'application/json',
    body: stringifyJson(target.manifest.object),
    signal,
  });
  const object = objectOf(answer);
  if (object !== undefined) return { type: 'created', object };
  const refusal = writeRefusal(answer, target, 'create');
  const isThere = answer.status === 409 && statusBody(answer)?.reason === 'AlreadyExists';
  // To one that is on its way out, waiting is the answer.
  return isThere && (dryRun || refusal.type !== 'terminating') ? { type: 'exists' } : refusal;
}

import { isObject, parseJsonOrUndefined, stringifyJson, type KubeObject, type Propagation, type Refusal, type ResourceKey, type ServedKind } from '../../model/index.ts';
import { readRefusal } from '../object-refusal.ts';
import { statusBody } from '../refusal.ts';
import type { ApiAnswer } from '../transport.ts';
import { namedTarget, objectPath } from './target-path.ts';
import { writeRefusal } from './write-refusal.ts';
import type { WriteOptions, WriteTransport } from './writing.ts';

export interface Removal extends WriteOptions {
  /** Nothing else of that name is deleted. */
  readonly uid: string;
  /** Nor this object, where it is another by now. */
  readonly resourceVersion?: string;
  readonly propagation: Propagation;
}

export type Removed =
  /** `left`: it goes when its finalizers and what depends on it are done; null where it is gone already. */
  | { readonly type: 'deleted'; readonly left: KubeObject | null }
  | { readonly type: 'gone' }
  /** Another object bears its name. */
  | { readonly type: 'replaced' }
  | Refusal;

const policies: Readonly<Record<Propagation, string>> = { foreground: 'Foreground', background: 'Background', orphan: 'Orphan' };

/** What is to be deleted: its name, and the kind that it is served as. */
export interface Doomed {
  readonly key: ResourceKey;
  readonly kind: ServedKind;
}

export async function removeObject(transport: WriteTransport, { key, kind }: Doomed, options: Removal): Promise<Removed> {
  const { uid, resourceVersion, propagation, mayWrite, signal } = options;
  const target = namedTarget(key, kind);
  const preconditions = { uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  mayWrite?.();
  const answer = await transport.send({
    method: 'DELETE',
    path: objectPath(target),
    contentType: 'application/json',
    body: stringifyJson({ apiVersion: 'v1', kind: 'DeleteOptions', preconditions, propagationPolicy: policies[propagation] }),
    signal,
  });
  if (answer.status === 200 || answer.status === 202) return { type: 'deleted', left: leftOf(answer) };
  if (answer.status === 404 && readRefusal(answer, target).type === 'absent') return { type: 'gone' };
  if (answer.status === 409 && /\bUID in (?:the )?precondition\b/.test(statusBody(answer)?.message ?? '')) return { type: 'replaced' };
  return writeRefusal(answer, target, 'delete');
}

function leftOf({ text }: ApiAnswer): KubeObject | null {
  const body = parseJsonOrUndefined(text);
  const isLeft = isObject(body) && isObject(body['metadata']) && body['metadata']['deletionTimestamp'] !== undefined;
  return isLeft ? (body as KubeObject) : null;
}

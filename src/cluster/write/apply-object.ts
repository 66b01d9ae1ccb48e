import { fieldManager, parseJson, stringifyJson, type KubeObject, type Refusal } from '../../model/index.ts';
import type { Target } from '../cluster.ts';
import { conflictsOf, type Conflict } from '../object-refusal.ts';
import type { ApiAnswer } from '../transport.ts';
import { ownershipPatch } from './migrate-ownership.ts';
import { patchObject } from './patch-object.ts';
import { objectPath } from './target-path.ts';
import { unsettled, writeRefusal } from './write-refusal.ts';
import { validation, type WriteOptions, type WriteTransport } from './writing.ts';

export type Applied =
  | { readonly type: 'applied'; readonly object: KubeObject }
  | { readonly type: 'conflict'; readonly conflicts: readonly Conflict[] }
  | Refusal;

export interface ApplyOptions extends WriteOptions {
  readonly force: boolean;
  /** The object as it was last seen. Where client-side apply wrote it, what that wrote is made ours first. */
  readonly live?: KubeObject;
}

/** A server-side apply. */
export async function applyObject(transport: WriteTransport, target: Target, options: ApplyOptions): Promise<Applied> {
  const { force, live, mayWrite, signal } = options;
  const migration = live === undefined ? undefined : ownershipPatch(live);
  if (migration !== undefined) {
    const answer = await patchObject(transport, { target, patch: migration }, options);
    if (answer.status === 409) return unsettled(target, 'it was changed while client-side apply was taken over');
    if (answer.status !== 200) return writeRefusal(answer, target, 'patch');
  }
  mayWrite?.();
  const answer = await transport.send({
    method: 'PATCH',
    path: objectPath(target),
    query: { fieldManager, ...validation(options), force: String(force) },
    contentType: 'application/apply-patch+yaml',
    body: stringifyJson(target.manifest.object),
    signal,
  });
  const object = objectOf(answer);
  if (object !== undefined) return { type: 'applied', object };
  const conflicts = conflictsOf(answer);
  return conflicts.length > 0 ? { type: 'conflict', conflicts } : writeRefusal(answer, target, 'patch');
}

/** The object as the server answered a write with it; undefined where it refused. */
export function objectOf({ status, text }: ApiAnswer): KubeObject | undefined {
  return status === 200 || status === 201 ? (parseJson(text) as KubeObject) : undefined;
}

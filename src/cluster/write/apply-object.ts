import { fieldManager, parseJson, stringifyJson, type KubeObject, type Patch, type Refusal } from '../../model/index.ts';
import type { Target } from '../cluster.ts';
import { conflictsOf, type Conflict } from '../object-refusal.ts';
import type { ApiAnswer } from '../transport.ts';
import { claimPatch } from './claim-fields.ts';
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

/** A server-side apply, with what has to be made ours for it. */
export async function applyObject(transport: WriteTransport, target: Target, options: ApplyOptions): Promise<Applied> {
  const { live } = options;
  if (live === undefined) return applyOnce(transport, target, options);
  const claim = async (patch: Patch): Promise<Claimed> => claimed(target, await patchObject(transport, { target, patch }, options));

  const migration = ownershipPatch(live);
  const migrated: Claimed = migration === undefined ? { type: 'claimed', object: live } : await claim(migration);
  if (migrated.type !== 'claimed') return migrated;
  const applied = await applyOnce(transport, target, options);
  if (applied.type !== 'invalid') return applied;
  const patch = claimPatch({ live: migrated.object, wanted: target.manifest.object, fields: applied.fields ?? [] });
  if (patch === undefined) return applied;
  const freed = await claim(patch);
  return freed.type === 'claimed' ? applyOnce(transport, target, options) : freed;
}

type Claimed = { readonly type: 'claimed'; readonly object: KubeObject } | Refusal;

function claimed(target: Target, answer: ApiAnswer): Claimed {
  const object = objectOf(answer);
  if (object !== undefined) return { type: 'claimed', object };
  return answer.status === 409 ? unsettled(target, 'it was changed while its fields were taken over') : writeRefusal(answer, target, 'patch');
}

async function applyOnce(transport: WriteTransport, target: Target, options: ApplyOptions): Promise<Applied> {
  const { force, mayWrite, signal } = options;
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

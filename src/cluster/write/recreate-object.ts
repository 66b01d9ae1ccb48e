import { canonicalJson, displayKey, isList, parseJson, retryOf, SetpointError, stringifyJson, valueAt, type JsonObject, type KubeObject, type Propagation, type Refusal } from '../../model/index.ts';
import type { Target } from '../cluster.ts';
import { readRefusal } from '../object-refusal.ts';
import { applyObject } from './apply-object.ts';
import { createObject } from './create-object.ts';
import { withoutOwnAllocations } from './own-allocations.ts';
import { poll, type Pause } from './poll.ts';
import { removeAsSeen } from './remove-as-seen.ts';
import { objectPath } from './target-path.ts';
import { unsettled } from './write-refusal.ts';
import type { WriteOptions, WriteTransport } from './writing.ts';

export interface Recreation extends WriteOptions {
  /** What is deleted: this very object, and none that came after it. */
  readonly live: KubeObject;
  readonly propagation: Propagation;
  /** Where the new one is refused after all, what was there is created again. */
  readonly restores?: boolean;
}

export type Recreated =
  | { readonly type: 'applied'; readonly object: KubeObject }
  /** Another object bears its name: it was not deleted, or was made by somebody else since. */
  | { readonly type: 'replaced' }
  /** Where it is `terminating`, it was deleted and is still there. */
  | Refusal;

interface Means {
  readonly transport: WriteTransport;
  readonly pause: Pause;
}

/** Finalizers, and what depends on it, may take their time; and so may a server that is away. */
const goneMs = 60_000;
const createdMs = 60_000;

/** Deletes an object and creates it as Git has it, once the server has shown that it would take it. */
export async function recreateObject(means: Means, target: Target, { live, propagation, restores = false, ...writing }: Recreation): Promise<Recreated> {
  const { transport, pause } = means;
  const { signal } = writing;
  const { manifest } = target;
  const { uid } = live.metadata;
  if (typeof uid !== 'string') return unsettled(target, 'it cannot be recreated without the UID of what is deleted');

  // Under its own name: whoever judges names judges this one, and that the name is taken is what the server finds last.
  const trial = { ...target, manifest: { ...manifest, object: withoutOwnAllocations(manifest.object, live) } };
  const tried = await createObject(transport, trial, { ...writing, dryRun: true });
  if (tried.type !== 'created' && tried.type !== 'exists') return tried;

  const isAlike = (now: KubeObject): boolean => canonicalJson(withoutStatus(now)) === canonicalJson(withoutStatus(live));
  const removed = await removeAsSeen(transport, target, { ...writing, uid, propagation, live, isAlike });
  if (removed.type !== 'deleted' && removed.type !== 'gone') return removed;
  const after = await poll(() => patiently(signal, () => whatIsThere(transport, target, { uid, signal })), { withinMs: goneMs, pause, signal });
  if (after === undefined) return { type: 'terminating', message: whyStillThere(target, removed.type === 'deleted' ? removed.left : null) };
  if (after === 'another') return { type: 'replaced' };

  // From here on it is missing. Whatever passes is waited for; for the rest, the next look finds it missing.
  let last: Refusal | undefined;
  const again = await poll<Recreated>(
    () =>
      patiently(signal, async () => {
        const result = await applyObject(transport, target, { ...writing, force: false });
        if (result.type === 'conflict') return { type: 'replaced' };
        if (result.type !== 'unknown' || retryOf(result.code) !== 'later') return result;
        last = result;
        return undefined;
      }),
    { withinMs: createdMs, pause, signal },
  );
  if (again !== undefined && restores && isRefused(again)) return restore({ transport, target, live }, again, writing);
  return again ?? last ?? unsettled(target, 'it was deleted, and the server could not be reached to create it again');
}

interface Seen {
  readonly transport: WriteTransport;
  readonly target: Target;
  readonly live: KubeObject;
}

function withoutStatus({ status: _status, metadata, ...object }: KubeObject): JsonObject {
  const { resourceVersion: _version, managedFields: _managers, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** For good: what may pass is waited for, and found missing by the next look. */
function isRefused({ type }: Recreated): boolean {
  return type === 'invalid' || type === 'denied' || type === 'replace';
}

async function restore({ transport, target, live }: Seen, refused: Recreated, writing: WriteOptions): Promise<Recreated> {
  const message = 'message' in refused ? refused.message : refused.type;
  const saved = { ...target, manifest: { ...target.manifest, object: savedManifest(live) } };
  const restored = await createObject(transport, saved, { ...writing, dryRun: false });
  const end = restored.type === 'created' ? 'what was there before was created again' : `what was there before could not be created again${'message' in restored ? `: ${restored.message}` : ''}`;
  return { ...refused, message: `${message}; it had been deleted for that, and ${end}` } as Recreated;
}

/** What it was, without what the server gives. */
function savedManifest({ status: _status, metadata, ...object }: KubeObject): KubeObject {
  const { uid: _uid, resourceVersion: _version, generation: _generation, creationTimestamp: _created, deletionTimestamp: _deleted, deletionGracePeriodSeconds: _grace, managedFields: _managers, selfLink: _link, ...given } = metadata;
  return { ...object, metadata: given };
}

/** Undefined while the one that was deleted is still there. */
async function whatIsThere(transport: WriteTransport, target: Target, { uid, signal }: { readonly uid: string; readonly signal: AbortSignal }): Promise<'nothing' | 'another' | undefined> {
  const answer = await transport.send({ method: 'GET', path: objectPath(target), signal });
  if (answer.status !== 200) return readRefusal(answer, target).type === 'absent' ? 'nothing' : undefined;
  return valueAt(parseJson(answer.text), ['metadata', 'uid']) === uid ? undefined : 'another';
}

/** A server out of reach is asked again; what forbids us to write is not. */
async function patiently<T>(signal: AbortSignal, ask: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SetpointError && error.code === 'ClusterUnreachable') return undefined;
    throw error;
  }
}

function whyStillThere({ manifest }: Target, left: KubeObject | null): string {
  const finalizers = left?.metadata['finalizers'];
  const held = isList(finalizers) && finalizers.length > 0 ? ` (finalizers: ${finalizers.map((name) => stringifyJson(name)).join(', ')})` : '';
  return `${displayKey(manifest.key)}: it was deleted to be created again, and is still there after ${goneMs / 1000} s${held}`;
}

import { parseJson, type KubeObject } from '../../model/index.ts';
import type { Target } from '../cluster.ts';
import { removeObject, type Removal, type Removed } from './remove-object.ts';
import { objectPath } from './target-path.ts';
import { unsettled } from './write-refusal.ts';
import type { WriteTransport } from './writing.ts';

export interface Seen {
  /** What was looked at before it was decided. */
  readonly live: KubeObject;
  /** Whether the same would have been decided about what it is now. */
  readonly isAlike: (now: KubeObject) => boolean;
}

export type RemovalAsSeen = Omit<Removal, 'resourceVersion'> & Seen;

/** Status is written all the time; whatever else is new somebody wrote, and nobody has looked at it. */
const mostVersions = 5;

/** Deletes an object as it was looked at: one that has changed in a way that counts is left for the next look. */
export async function removeAsSeen(transport: WriteTransport, target: Target, { live, isAlike, ...removal }: RemovalAsSeen): Promise<Removed> {
  const { kind, manifest } = target;
  let seen = live;
  for (let version = 1; ; version += 1) {
    const { resourceVersion } = seen.metadata;
    const removed = await removeObject(transport, { key: manifest.key, kind }, { ...removal, ...(typeof resourceVersion === 'string' && { resourceVersion }) });
    if (removed.type !== 'unknown' || removed.code !== 'ObjectUnsettled' || version === mostVersions) return removed;
    const answer = await transport.send({ method: 'GET', path: objectPath(target), signal: removal.signal });
    if (answer.status !== 200) return removed;
    seen = parseJson(answer.text) as KubeObject;
    if (!isAlike(seen)) return unsettled(target, 'it was changed since it was looked at, and is not deleted for that');
  }
}

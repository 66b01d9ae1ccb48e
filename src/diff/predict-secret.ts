import { isObject, valueAt, type Json, type JsonObject, type KubeObject } from '../model/index.ts';
import { ownersOf } from './field-owners.ts';

/**
 * What server-side apply would make of a Secret. Worked out here, exactly, because a Secret is flat:
 * so its values appear in no request and no audit log until they are really applied.
 */
export function predictSecret(live: KubeObject, desired: KubeObject, manager: string): KubeObject {
  const maps = [['metadata', 'labels'], ['metadata', 'annotations'], ['data']];
  const [labels, annotations, data] = maps.map((path) => mergeMap({ path, live, desired, manager }));
  const { labels: _labels, annotations: _annotations, ...wantedMetadata } = desired.metadata;
  const metadata = {
    ...live.metadata,
    ...wantedMetadata,
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  return { ...live, ...desired, metadata, ...(data === undefined ? {} : { data }) } as KubeObject;
}

interface MapMerge {
  readonly path: readonly string[];
  readonly live: KubeObject;
  readonly desired: KubeObject;
  readonly manager: string;
}

/** Ours is added or replaced; what we alone own and want no more goes; the rest belongs to others and stays. */
function mergeMap({ path, live, desired, manager }: MapMerge): JsonObject | undefined {
  const actual = valueAt(live, path);
  const wanted = valueAt(desired, path);
  const kept = entries(actual).filter(([key]) => {
    if (isObject(wanted) && Object.hasOwn(wanted, key)) return true;
    const owners = ownersOf(live, [...path, key]);
    return !(owners.length === 1 && owners[0]?.manager === manager && owners[0].operation === 'Apply');
  });
  const merged = Object.fromEntries([...kept, ...entries(wanted)]);
  return actual === undefined && Object.keys(merged).length === 0 ? undefined : merged;
}

function entries(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries<Json>(value) : [];
}

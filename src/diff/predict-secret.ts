import { entriesOf, isObject, sameValue, valueAt, type JsonObject, type KubeObject, type Obstacle } from '../model/index.ts';
import { without } from './comparable.ts';
import { ownersOfKey } from './field-owners.ts';

/**
 * What server-side apply would make of a Secret. Worked out here, exactly, because a Secret is flat:
 * so its values appear in no request and no audit log until they are really applied.
 */
export function predictSecret(live: KubeObject, desired: KubeObject, manager: string): KubeObject {
  const merge = (...path: string[]): JsonObject => mergeMap({ path, live, desired, manager });
  const metadata = { ...live.metadata, ...desired.metadata, labels: merge('metadata', 'labels'), annotations: merge('metadata', 'annotations') };
  const predicted = { ...live, ...desired, data: merge('data'), metadata: withoutEmptyMaps(metadata) };
  return withoutEmptyMaps(predicted) as KubeObject;
}

/** Why the server would not change the Secret in place; undefined where it would. */
export function secretObstacle(live: KubeObject, predicted: KubeObject): Obstacle | undefined {
  const changes = (field: string): boolean => !sameValue(live[field], predicted[field]);
  if (changes('type')) return { type: 'replace', message: 'the type of a Secret is immutable' };
  const frozen = live['immutable'] === true && ['data', 'immutable'].some(changes);
  return frozen ? { type: 'replace', message: 'the Secret is marked immutable' } : undefined;
}

/** The server stores no empty map. */
function withoutEmptyMaps(object: JsonObject): JsonObject {
  return without(object, (key) => isObject(object[key]) && Object.keys(object[key]).length === 0);
}

interface MapMerge {
  readonly path: readonly string[];
  readonly live: KubeObject;
  readonly desired: KubeObject;
  readonly manager: string;
}

/** Ours is added or replaced; what we alone own and want no more goes; the rest belongs to others and stays. */
function mergeMap({ path, live, desired, manager }: MapMerge): JsonObject {
  const actual = valueAt(live, path);
  const wanted = valueAt(desired, path);
  const kept = entriesOf(actual).filter(([key]) => {
    if (isObject(wanted) && Object.hasOwn(wanted, key)) return true;
    const owners = ownersOfKey(live, [...path, key]);
    return !(owners.length === 1 && owners[0]?.manager === manager && owners[0].operation === 'Apply');
  });
  return Object.fromEntries([...kept, ...entriesOf(wanted)]);
}

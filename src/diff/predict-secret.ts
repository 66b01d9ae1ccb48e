import { canonicalJson, childOf, entriesOf, isList, isObject, sameValue, valueAt, type Json, type JsonObject, type KubeObject, type Obstacle } from '../model/index.ts';
import { without } from './comparable.ts';
import { managedEntries } from './field-owners.ts';

/**
 * What server-side apply would make of a Secret. Worked out here, exactly, because a Secret is flat:
 * so its values appear in no request and no audit log until they are really applied.
 */
export function predictSecret(live: KubeObject, desired: KubeObject, manager: string): KubeObject {
  const merge = { live, desired, manager };
  const metadata = {
    ...live.metadata,
    ...desired.metadata,
    labels: mergeMap(['metadata', 'labels'], merge),
    annotations: mergeMap(['metadata', 'annotations'], merge),
    finalizers: mergeList(['metadata', 'finalizers'], merge, (item) => `v:${canonicalJson(item)}`),
    ownerReferences: mergeList(['metadata', 'ownerReferences'], merge, (item) => `k:${canonicalJson({ uid: childOf(item, 'uid') ?? null })}`),
  };
  const type = mergeScalar('type', merge);
  const scalars = { type: type === null || type === '' ? defaultType : (type ?? null), immutable: mergeScalar('immutable', merge) ?? null };
  const predicted = { ...live, ...desired, ...scalars, data: mergeMap(['data'], merge), metadata: withoutNothing(metadata) };
  return withoutNothing(predicted) as KubeObject;
}

const defaultType = 'Opaque';

/** Why the server would not change the Secret in place; undefined where it would. */
export function secretObstacle(live: KubeObject, predicted: KubeObject): Obstacle | undefined {
  const changes = (field: string): boolean => !sameValue(live[field], predicted[field]);
  if (changes('type')) return { type: 'replace', message: 'the type of a Secret is immutable' };
  const frozen = live['immutable'] === true && ['data', 'immutable'].some(changes);
  return frozen ? { type: 'replace', message: 'the Secret is marked immutable' } : undefined;
}

/** The server stores no null, and no empty map or list. */
function withoutNothing(object: JsonObject): JsonObject {
  const isNothing = (value: Json | undefined): boolean => value === null || (isList(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0);
  return without(object, (key) => isNothing(object[key]));
}

interface Merge {
  readonly live: KubeObject;
  readonly desired: KubeObject;
  readonly manager: string;
}

/** Ours is added or replaced; what we alone own and want no more goes; the rest belongs to others and stays. */
function mergeMap(path: readonly string[], { live, desired, manager }: Merge): JsonObject {
  // Nothing, as the value of a key, is stored as an empty text.
  const wanted = entriesOf(valueAt(desired, path)).map(([key, value]): [string, Json] => [key, value ?? '']);
  const names = new Set(wanted.map(([key]) => key));
  const kept = entriesOf(valueAt(live, path)).filter(([key]) => names.has(key) || !goes([...path.map(member), member(key)], live, manager));
  return Object.fromEntries([...kept, ...wanted]);
}

/** Likewise, of items that have an identity. Those that live has keep their places. */
function mergeList(path: readonly string[], { live, desired, manager }: Merge, nameOf: (item: Json) => string): readonly Json[] {
  const [actual, wanted] = [valueAt(live, path), valueAt(desired, path)];
  const ours = new Map((isList(wanted) ? wanted : []).map((item) => [nameOf(item), item]));
  const present = new Map((isList(actual) ? actual : []).map((item) => [nameOf(item), item]));
  const kept = [...present].filter(([name]) => ours.has(name) || !goes([...path.map(member), name], live, manager));
  return [...new Map([...kept, ...ours]).values()];
}

/** Null where an apply takes it away, undefined where nobody has it. */
function mergeScalar(field: string, { live, desired, manager }: Merge): Json | undefined {
  if (desired[field] !== undefined && desired[field] !== null) return desired[field];
  return goes([member(field)], live, manager) ? null : live[field];
}

/** Whether an apply without it takes it away: it is on record as ours, and as nobody else's. */
function goes(path: readonly string[], live: KubeObject, manager: string): boolean {
  const owners = managedEntries(live).filter(({ fields }) => valueAt(fields, path) !== undefined);
  return owners.length === 1 && owners[0]?.owner.manager === manager && owners[0].owner.operation === 'Apply';
}

function member(key: string): string {
  return `f:${key}`;
}

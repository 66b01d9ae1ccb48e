import { isSecretKind, parseResourceKey, resourceKey, type KubeObject, type ResourceKey, type ServedKind } from '../../model/index.ts';
import { collectionPath } from '../collection-path.ts';

/** What one list and watch covers: a kind in a namespace or in the whole cluster, or a single object. */
export interface Place {
  readonly kind: ServedKind;
  readonly namespace?: string;
  readonly name?: string;
}

export function pathOf({ kind, namespace }: Place): string {
  return collectionPath(kind, namespace);
}

export function queryOf({ name }: Place): Readonly<Record<string, string>> {
  return name === undefined ? {} : { fieldSelector: `metadata.name=${name}` };
}

/** Tells places apart. */
export function placeId(place: Place): string {
  return place.name === undefined ? pathOf(place) : `${pathOf(place)}/${place.name}`;
}

/** `deployments.apps in namespace shop` */
export function describePlace({ kind, namespace, name }: Place): string {
  const resource = kind.group === '' ? kind.resource : `${kind.resource}.${kind.group}`;
  const what = name === undefined ? resource : `${resource} ${name}`;
  if (!kind.namespaced) return what;
  return namespace === undefined ? `${what} in all namespaces` : `${what} in namespace ${namespace}`;
}

/** The key of an object that was seen in a place. */
export function keyIn({ kind }: Place, { metadata }: KubeObject): ResourceKey {
  const { group, kind: name, namespaced } = kind;
  return resourceKey({ group, kind: name, namespace: namespaced ? (metadata.namespace ?? '') : '', name: metadata.name });
}

export interface Declared {
  readonly key: ResourceKey;
  readonly kind: ServedKind;
}

export interface Scope {
  /** Kinds, by their path, that are watched in the whole cluster already. */
  readonly wide: ReadonlySet<string>;
  /** Kinds, by their path, that may not be listed in the whole cluster. */
  readonly confined: ReadonlySet<string>;
}

const fewNamespaces = 8;

/** Where to watch each object: in its namespace while the namespaces of its kind are few, else in the whole cluster. */
export function planPlaces(objects: readonly Declared[], { wide, confined }: Scope): ReadonlyMap<ResourceKey, Place> {
  const plan = new Map<ResourceKey, Place>();
  for (const [path, group] of Map.groupBy(objects, ({ kind }) => collectionPath(kind))) {
    const namespaces = new Set(group.map(({ key }) => parseResourceKey(key).namespace));
    // Half as many before it goes back: a number that goes up and down does not make the watches go up and down.
    const few = wide.has(path) ? fewNamespaces / 2 : fewNamespaces;
    const everywhere = namespaces.size > few && !confined.has(path);
    for (const { key, kind } of group) plan.set(key, placeFor({ key, kind }, everywhere ? 'cluster' : 'namespace'));
  }
  return plan;
}

function placeFor(declared: Declared, scope: 'cluster' | 'namespace'): Place {
  // A list of Secrets would bring in those of others: each is watched by its name.
  if (isSecretKind(declared.kind)) return singlePlace(declared);
  const { kind, key } = declared;
  return !kind.namespaced || scope === 'cluster' ? { kind } : { kind, namespace: parseResourceKey(key).namespace };
}

/** The place that holds this object only. */
export function singlePlace({ kind, key }: Declared): Place {
  const { namespace, name } = parseResourceKey(key);
  return { kind, name, ...(kind.namespaced ? { namespace } : {}) };
}

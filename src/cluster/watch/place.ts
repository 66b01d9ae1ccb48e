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

export type Scope = 'cluster' | 'namespace';

const fewNamespaces = 8;

/** Where objects of a kind are watched: in their namespaces while these are few, else in the whole cluster. */
export function scopeFor({ namespaces, before }: { readonly namespaces: number; readonly before: Scope }): Scope {
  // Half as many before it goes back: a number that goes up and down does not make the watches go up and down.
  return namespaces > (before === 'cluster' ? fewNamespaces / 2 : fewNamespaces) ? 'cluster' : 'namespace';
}

export function placeFor(declared: Declared, scope: Scope): Place {
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

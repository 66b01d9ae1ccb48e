declare const brand: unique symbol;

/**
 * Who an object is, whatever version it is read at: `apps/Deployment/shop/web`.
 * The core group is empty (`/ConfigMap/shop/env`), and so is the namespace of a cluster-scoped object.
 */
export type ResourceKey = string & { readonly [brand]: 'ResourceKey' };

export interface ResourceIdentity {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export function resourceKey({ group, kind, namespace, name }: ResourceIdentity): ResourceKey {
  return [group, kind, namespace, name].join('/') as ResourceKey;
}

export function parseResourceKey(key: ResourceKey): ResourceIdentity {
  const [group = '', kind = '', namespace = '', name = ''] = key.split('/');
  return { group, kind, namespace, name };
}

/** How people write it: `apps/Deployment shop/web`, `ConfigMap shop/env`, `Namespace shop`. */
export function displayKey(key: ResourceKey): string {
  const { group, kind, namespace, name } = parseResourceKey(key);
  return `${group === '' ? kind : `${group}/${kind}`} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

/** The one place that decides whose values are masked, never listed and never tried on the server. */
export function isSecretKind({ group, kind }: Pick<ResourceIdentity, 'group' | 'kind'>): boolean {
  return group === '' && kind === 'Secret';
}

export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

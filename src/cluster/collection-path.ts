import type { ServedKind } from '../model/index.ts';

/** `/apis/apps/v1/namespaces/shop/deployments`; without a namespace, those of the whole cluster. */
export function collectionPath({ group, version, resource, namespaced }: ServedKind, namespace?: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${resource}`;
}

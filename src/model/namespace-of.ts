import type { KubeObject } from './manifest.ts';

/** Where an object says that it belongs, else the usual place. An empty namespace says nothing: so do kubectl and Helm read it. */
export function namespaceOf({ metadata }: Pick<KubeObject, 'metadata'>, usual: string): string {
  return metadata.namespace || usual;
}

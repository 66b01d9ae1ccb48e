import { parseResourceKey, type ResourceKey, type ServedKind } from '../../model/index.ts';
import type { Target } from '../cluster.ts';
import { collectionPath } from '../collection-path.ts';

export function placePath({ manifest, kind }: Target): string {
  return collectionPath(kind, manifest.object.metadata.namespace);
}

export function objectPath(target: Target): string {
  return `${placePath(target)}/${encodeURIComponent(target.manifest.object.metadata.name)}`;
}

/** An object of which no more is known, or needed, than its name. */
export function namedTarget(key: ResourceKey, kind: ServedKind): Target {
  const { namespace, name } = parseResourceKey(key);
  const metadata = namespace === '' ? { name } : { name, namespace };
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  return { kind, manifest: { key, origin: '', object: { apiVersion, kind: kind.kind, metadata } } };
}

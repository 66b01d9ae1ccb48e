import { resourceKey, type JsonObject, type KubeObject, type LiveObject, type Manifest, type ServedKind } from '../../../src/model/index.ts';

export const configMapKind: ServedKind = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true, hasStatus: false };
export const secretKind: ServedKind = { ...configMapKind, kind: 'Secret', resource: 'secrets' };
export const namespaceKind: ServedKind = { ...configMapKind, kind: 'Namespace', resource: 'namespaces', namespaced: false, hasStatus: true };

export function configMap(data: JsonObject, metadata: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'env', namespace: 'shop', ...metadata }, data };
}

export function secret(fields: JsonObject, metadata: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'env', namespace: 'shop', ...metadata }, ...fields };
}

export function manifestOf(object: KubeObject): Manifest {
  const { name, namespace = '' } = object.metadata;
  return { key: resourceKey({ group: '', kind: object.kind, namespace, name }), object, origin: 'app.yaml#1' };
}

export function liveOf(object: KubeObject): LiveObject {
  return { key: manifestOf(object).key, object, resourceVersion: '1' };
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

import { isObject, type Json, type JsonObject, type KubeObject } from '../model/index.ts';

export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Metadata that only the server writes. */
const serverMetadata = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/**
 * The object without what is never part of a comparison. Only whole keys of objects are left out, so a JSON pointer
 * into the result is valid in the object, and a patch between two results applies to the first object itself.
 */
export function comparable(object: KubeObject, { hasStatus }: { readonly hasStatus: boolean }): KubeObject {
  const metadata = without(object.metadata, (key) => serverMetadata.has(key));
  const cleaned = { ...object, metadata: withoutLastApplied(metadata) } as KubeObject;
  return hasStatus ? (without(cleaned, (key) => key === 'status') as KubeObject) : cleaned;
}

function withoutLastApplied(metadata: JsonObject): JsonObject {
  const { annotations } = metadata;
  if (!isObject(annotations) || !Object.hasOwn(annotations, lastApplied)) return metadata;
  return { ...metadata, annotations: without(annotations, (key) => key === lastApplied) };
}

export function without(object: JsonObject, unwanted: (key: string) => boolean): JsonObject {
  // fromEntries, not assignment: a key named __proto__ is data.
  return Object.fromEntries(Object.entries<Json>(object).filter(([key]) => !unwanted(key)));
}

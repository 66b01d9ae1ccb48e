import { isObject, trackingAnnotation, type Json, type JsonObject, type KubeObject } from '../model/index.ts';

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
  const cleaned = { ...object, metadata: withoutMarks(metadata) } as KubeObject;
  return hasStatus ? (without(cleaned, (key) => key === 'status') as KubeObject) : cleaned;
}

const marks: ReadonlySet<string> = new Set([lastApplied, trackingAnnotation]);

/** What kubectl and we ourselves write down in an object. Where there is nothing else, there are no annotations. */
function withoutMarks(metadata: JsonObject): JsonObject {
  const { annotations } = metadata;
  if (!isObject(annotations) || !Object.keys(annotations).some((key) => marks.has(key))) return metadata;
  const left = without(annotations, (key) => marks.has(key));
  return Object.keys(left).length === 0 ? without(metadata, (key) => key === 'annotations') : { ...metadata, annotations: left };
}

export function without(object: JsonObject, unwanted: (key: string) => boolean): JsonObject {
  // fromEntries, not assignment: a key named __proto__ is data.
  return Object.fromEntries(Object.entries<Json>(object).filter(([key]) => !unwanted(key)));
}

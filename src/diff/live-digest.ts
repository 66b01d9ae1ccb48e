import { isList, isObject, type Json, type JsonObject, type KubeObject } from '../model/index.ts';
import { comparable, without } from './comparable.ts';
import { contentName } from './content-hash.ts';

/** Names all that a comparison looks at in a live object: the same name, the same verdict. Times and status are not among it. */
export function liveDigest(object: KubeObject, { hasStatus }: { readonly hasStatus: boolean }): string {
  const { managedFields, deletionTimestamp = null, uid = null, annotations = null } = object.metadata;
  const held = isList(managedFields) ? managedFields.filter(isObject).filter(({ subresource }) => subresource !== 'status').map(withoutTime) : null;
  return contentName([comparable(object, { hasStatus }), held, deletionTimestamp, uid, annotations] as Json);
}

function withoutTime(entry: JsonObject): JsonObject {
  return without(entry, (key) => key === 'time');
}

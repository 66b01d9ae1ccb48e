import { fieldManager, isObject, type JsonObject } from '../../model/index.ts';

export function isOurApply(entry: JsonObject): boolean {
  return entry['manager'] === fieldManager && entry['operation'] === 'Apply' && entry['subresource'] === undefined;
}

export function fieldsOf(entry: JsonObject): JsonObject {
  const { fieldsV1: fields } = entry;
  return isObject(fields) ? fields : {};
}

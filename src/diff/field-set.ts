import { isList, isObject, type Json, type JsonObject, type KubeObject, type Schema } from '../model/index.ts';
import { listKeys } from './list-keys.ts';
import { fieldOf } from './walk.ts';

/** The fields of an object as the server writes such sets (FieldsV1). Without what identifies the object. */
export function fieldSetOf({ apiVersion: _version, kind: _kind, ...object }: KubeObject, schema: Schema): JsonObject {
  const { name: _name, namespace: _namespace, ...metadata } = object['metadata'] as JsonObject;
  return membersOf(Object.keys(metadata).length === 0 ? withoutMetadata(object) : { ...object, metadata }, schema);
}

function withoutMetadata({ metadata: _metadata, ...rest }: JsonObject): JsonObject {
  return rest;
}

function membersOf(value: Json, schema: Schema): JsonObject {
  if (isObject(value)) {
    if ((schema.type === 'struct' || schema.type === 'map') && schema.atomic) return {};
    const isType = schema.type === 'struct';
    const members = Object.entries<Json>(value).map(([key, item]) => [`f:${key}`, membersOf(item, fieldOf(schema, key)?.schema ?? { type: 'any' })]);
    // Fields of a type are implied by what is below them; a map and its keys are members themselves.
    return Object.fromEntries(isType || members.length === 0 ? members : [['.', {}], ...members]) as JsonObject;
  }
  if (!isList(value) || schema.type !== 'list' || schema.relation === 'atomic') return {};
  const { relation, keys, element } = schema;
  const items = listKeys(value, { relation, keys, element });
  if (items === undefined) return {};
  const members = [...items].map(([key, item]) =>
    relation === 'set' ? [`v:${key}`, {}] : [`k:${key}`, { '.': {}, ...membersOf(item.value, element.schema) }],
  );
  return Object.fromEntries([['.', {}], ...members]) as JsonObject;
}

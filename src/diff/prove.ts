import { fieldManager, isList, isObject, type JsonObject, type KubeObject, type Schema } from '../model/index.ts';
import { removedFields } from './removed-fields.ts';
import { walk, type Answer } from './walk.ts';

/** Answers without the server whether an apply of `desired` would change `live`. Only `equal` may be relied upon as it stands. */
export function prove(desired: KubeObject, live: KubeObject, schema: Schema | undefined): Answer {
  if (schema === undefined) return 'unsure';
  const { apiVersion: _version, kind: _kind, ...wanted } = desired;
  const values = walk(wanted, live, { schema, whole: false });
  if (values === 'different') return values;
  const removed = removals(desired, live, schema);
  return removed === 'equal' ? values : removed;
}

function removals(desired: KubeObject, live: KubeObject, schema: Schema): Answer {
  const entries = managedFields(live);
  if (entries === undefined) return 'unsure';
  const isOurs = ({ manager, operation, subresource }: JsonObject): boolean =>
    manager === fieldManager && operation === 'Apply' && (subresource === undefined || subresource === '');
  const ours = entries.find(isOurs);
  if (ours === undefined) return 'equal';
  // Fields are recorded in the version in which they were written; what they are called in another one the server knows.
  if (ours['apiVersion'] !== desired.apiVersion) return 'unsure';
  const fields = fieldsOf(ours);
  if (fields === undefined) return 'unsure';
  if (removedFields(desired, { ours: fields, others: [] }, schema) === 'equal') return 'equal';
  const others: JsonObject[] = [];
  for (const entry of entries) {
    const theirs = fieldsOf(entry);
    if (theirs === undefined || entry['apiVersion'] !== desired.apiVersion) return 'unsure';
    if (entry !== ours) others.push(theirs);
  }
  return removedFields(desired, { ours: fields, others }, schema);
}

function managedFields({ metadata }: KubeObject): readonly JsonObject[] | undefined {
  const entries = metadata['managedFields'] ?? [];
  return isList(entries) && entries.every(isObject) ? entries : undefined;
}

function fieldsOf(entry: JsonObject): JsonObject | undefined {
  const { fieldsV1 } = entry;
  return isObject(fieldsV1) ? fieldsV1 : undefined;
}

import { childOf, fieldManager, isList, isObject, trackingAnnotation, type JsonObject, type KubeObject, type Schema } from '../model/index.ts';
import { without } from './comparable.ts';
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
  const owned = fieldsOf(ours);
  if (owned === undefined) return 'unsure';
  const fields = withoutTracking(owned);
  if (removedFields(desired, { ours: fields, others: [] }, schema) === 'equal') return 'equal';
  const others: JsonObject[] = [];
  for (const entry of entries) {
    const theirs = fieldsOf(entry);
    if (theirs === undefined || entry['apiVersion'] !== desired.apiVersion) return 'unsure';
    if (entry !== ours) others.push(theirs);
  }
  return removedFields(desired, { ours: fields, others }, schema);
}

/** Our mark is in no manifest, and no apply takes it away. */
function withoutTracking(fields: JsonObject): JsonObject {
  const metadata = childOf(fields, 'f:metadata');
  const annotations = childOf(metadata, 'f:annotations');
  const mark = `f:${trackingAnnotation}`;
  if (!isObject(metadata) || !isObject(annotations) || !Object.hasOwn(annotations, mark)) return fields;
  const left = without(annotations, (key) => key === mark);
  const isOnlyOurs = Object.keys(left).every((key) => key === '.');
  return { ...fields, 'f:metadata': isOnlyOurs ? without(metadata, (key) => key === 'f:annotations') : { ...metadata, 'f:annotations': left } };
}

function managedFields({ metadata }: KubeObject): readonly JsonObject[] | undefined {
  const entries = metadata['managedFields'] ?? [];
  return isList(entries) && entries.every(isObject) ? entries : undefined;
}

function fieldsOf(entry: JsonObject): JsonObject | undefined {
  const { fieldsV1 } = entry;
  return isObject(fieldsV1) ? fieldsV1 : undefined;
}

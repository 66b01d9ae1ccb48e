import { isList, isObject, valueAt, type KubeObject } from '../model/index.ts';

export interface FieldOwner {
  readonly manager: string;
  readonly operation: string;
}

/** Whom the server recorded as owner of a field that is reached through maps only. */
export function ownersOf(live: KubeObject, path: readonly string[]): readonly FieldOwner[] {
  const entries = live.metadata['managedFields'];
  if (!isList(entries)) return [];
  const fieldPath = path.map((key) => `f:${key}`);
  return entries.flatMap((entry) => {
    if (!isObject(entry) || valueAt(entry['fieldsV1'], fieldPath) === undefined) return [];
    const { manager, operation } = entry;
    return typeof manager === 'string' && typeof operation === 'string' ? [{ manager, operation }] : [];
  });
}

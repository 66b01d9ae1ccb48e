import { fieldManager, type FieldChange, type KubeObject, type Patch } from '../model/index.ts';
import { displayPath } from './display-path.ts';
import { ownersOf } from './field-owners.ts';
import { keysOf, valueAtKeys } from './json-pointer.ts';

/** What a patch changes, for people; `live` is the object with its managed fields, `before` the same as it may be shown. */
export function fieldChanges(patch: Patch, before: KubeObject, live: KubeObject): readonly FieldChange[] {
  return patch.map((operation) => {
    const keys = keysOf(operation.path);
    const value = operation.op === 'add' ? undefined : valueAtKeys(before, keys);
    return {
      path: operation.path,
      display: displayPath(before, keys),
      ...(value === undefined ? {} : { live: value }),
      ...(operation.op === 'remove' ? {} : { desired: operation.value }),
      owners: value === undefined ? [] : ownersOf(live, keys).filter(({ manager }) => manager !== fieldManager),
    };
  });
}

import type { Diff, KubeObject, LiveObject, Manifest } from '../model/index.ts';
import { comparable } from './comparable.ts';
import { fieldChanges } from './field-changes.ts';
import { foreignFields } from './foreign-fields.ts';
import { jsonPatch } from './json-patch.ts';
import { maskSecret } from './mask.ts';

interface Sides {
  /** Undefined: the server said that there is no such object. */
  readonly live: LiveObject | undefined;
  /** What the object would be after a sync. */
  readonly predicted: KubeObject;
  readonly hasStatus: boolean;
}

export function compareObjects({ key, origin, object: desired }: Manifest, { live, predicted, hasStatus }: Sides): Diff {
  const wanted = comparable(predicted, { hasStatus });
  if (live === undefined) {
    const after = maskSecret(wanted, undefined, 'after');
    return { type: 'missing', key, origin, patch: [{ op: 'add', path: '', value: after }], after };
  }
  const actual = comparable(live.object, { hasStatus });
  const before = maskSecret(actual, wanted, 'before');
  const after = maskSecret(wanted, actual, 'after');
  const patch = jsonPatch(before, after);
  const foreign = foreignFields(desired, live.object, before);
  if (patch.length === 0) return { type: 'same', key, origin, foreign };
  return { type: 'changed', key, origin, patch, changes: fieldChanges(patch, before, live.object), foreign, before, after };
}

import { fieldManager, type KubeObject, type Refusal } from '../../model/index.ts';
import type { Target } from '../cluster.ts';
import type { Conflict } from '../object-refusal.ts';
import { applyObject } from './apply-object.ts';
import { withoutField } from './field-path.ts';
import { unsettled } from './write-refusal.ts';
import type { WriteOptions, WriteTransport } from './writing.ts';

/** A field that others keep, and why. */
export interface LeftField extends Conflict {
  readonly why: string;
}

export type AppliedPerField =
  /** But for what was left. */
  | { readonly type: 'applied'; readonly object: KubeObject; readonly left: readonly LeftField[] }
  /** Nothing was changed: all that differs is left, or cannot be told from what is. */
  | { readonly type: 'contested'; readonly left: readonly LeftField[] }
  | Refusal;

export interface PerFieldOptions extends WriteOptions {
  readonly live?: KubeObject;
  /** Asked for each field that somebody else holds at another value. */
  readonly onConflict: (conflict: Conflict) => { readonly type: 'take' } | { readonly type: 'leave'; readonly why: string };
}

/** A server-side apply that takes from others only what may be taken, and applies the rest. */
export async function applyPerField(transport: WriteTransport, target: Target, options: PerFieldOptions): Promise<AppliedPerField> {
  const { live, onConflict, ...writing } = options;
  const first = await applyObject(transport, target, { ...writing, ...(live === undefined ? {} : { live }), force: false });
  if (first.type === 'applied') return { ...first, left: [] };
  if (first.type !== 'conflict') return first;

  const left = first.conflicts.flatMap((conflict): readonly LeftField[] => {
    // What we wrote otherwise than by an apply is ours all the same.
    const decision = conflict.manager === fieldManager ? { type: 'take' as const } : onConflict(conflict);
    return decision.type === 'leave' ? [{ ...conflict, why: decision.why }] : [];
  });
  const fields = new Set(left.map(({ field }) => field));
  const rest = [...fields].reduce<KubeObject | undefined>((object, field) => object && withoutField(object, field), target.manifest.object);
  if (rest === undefined) return { type: 'contested', left };

  const isTaking = first.conflicts.some(({ field }) => !fields.has(field));
  const second = await applyObject(transport, { ...target, manifest: { ...target.manifest, object: rest } }, { ...writing, force: isTaking });
  if (second.type === 'conflict') return unsettled(target, 'others took more of its fields while it was applied');
  if (second.type !== 'applied') return second;
  const isUnchanged = left.length > 0 && second.object.metadata['resourceVersion'] === live?.metadata['resourceVersion'];
  return isUnchanged ? { type: 'contested', left } : { ...second, left };
}

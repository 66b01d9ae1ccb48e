import type { KubeObject } from '../../model/index.ts';
import type { Target } from '../cluster.ts';
import { applyObject, type Applied, type ApplyOptions } from './apply-object.ts';
import { applyPerField, type AppliedPerField, type PerFieldOptions } from './apply-per-field.ts';
import { createObject, type Created, type CreateOptions } from './create-object.ts';
import { realPause, type Pause } from './poll.ts';
import { putObject, type Put, type PutOptions } from './put-object.ts';
import { recreateObject, type Recreated, type Recreation } from './recreate-object.ts';
import { removeFields, type FieldRemoval, type FieldsRemoved } from './remove-fields.ts';
import { removeAsSeen, type Seen } from './remove-as-seen.ts';
import { removeObject, type Doomed, type Removal, type Removed } from './remove-object.ts';
import { namedTarget } from './target-path.ts';
import { untilEstablished, type Patience } from './until-established.ts';
import type { WriteTransport } from './writing.ts';

/** All that changes objects. Methods throw only when the cluster as a whole is out of reach, refuses the user, or `mayWrite` throws. */
export interface Writes {
  apply(target: Target, options: ApplyOptions): Promise<Applied>;
  /** Likewise; what others hold at other values is taken or left field by field. */
  applyPerField(target: Target, options: PerFieldOptions): Promise<AppliedPerField>;
  put(target: Target, options: PutOptions): Promise<Put>;
  create(target: Target, options: CreateOptions): Promise<Created>;
  /** `asSeen`: only while it is as it was looked at, in what counts. */
  remove(doomed: Doomed, options: Removal & { readonly asSeen?: Seen | undefined }): Promise<Removed>;
  /** May take two minutes. Once it has deleted, only `signal` and `mayWrite` keep it from creating. */
  recreate(target: Target, options: Recreation): Promise<Recreated>;
  removeOrphanedFields(target: Target, pointers: readonly string[], options: FieldRemoval): Promise<FieldsRemoved>;
  /** `definition` as an apply of it answered. */
  untilEstablished(definition: KubeObject, patience: Patience): Promise<boolean>;
}

export function createWrites(transport: WriteTransport, pause: Pause = realPause): Writes {
  return {
    apply: (target, options) => applyObject(transport, target, options),
    applyPerField: (target, options) => applyPerField(transport, target, options),
    put: (target, options) => putObject(transport, target, options),
    create: (target, options) => createObject(transport, target, options),
    remove: ({ key, kind }, { asSeen, ...removal }) => (asSeen === undefined ? removeObject(transport, { key, kind }, removal) : removeAsSeen(transport, namedTarget(key, kind), { ...removal, ...asSeen })),
    recreate: (target, options) => recreateObject({ transport, pause }, target, options),
    removeOrphanedFields: (target, pointers, options) => removeFields(transport, { target, pointers }, options),
    untilEstablished: (definition, patience) => untilEstablished({ transport, pause }, definition, patience),
  };
}

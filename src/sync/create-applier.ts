import { entriesOf, type JsonObject, type KubeObject, type Manifest, type ResourceKey, type ServedKind } from '../model/index.ts';
import type { Applier, ApplyStep, Doomed, LeftField, Removed, Write } from './applier.ts';

interface Target {
  readonly manifest: Manifest;
  readonly kind: ServedKind;
}

interface Conflict {
  readonly field: string;
  readonly manager: string;
}

interface Writing {
  readonly mayWrite: () => void;
  readonly skipValidation?: true;
  readonly signal: AbortSignal;
}

export type OnConflict = (conflict: Conflict) => { readonly type: 'take' } | { readonly type: 'leave'; readonly why: string };

/** An object as it was looked at, and whether what it is now would have been judged alike. */
interface Seen {
  readonly live: KubeObject;
  readonly isAlike: (now: KubeObject) => boolean;
}

/** What a cluster must be able to do. */
export interface ClusterWrites {
  applyPerField(target: Target, options: Writing & { readonly live?: KubeObject; readonly onConflict: OnConflict }): Promise<Write>;
  put(target: Target, options: Writing & { readonly live: KubeObject }): Promise<Write>;
  create(target: Target, options: Writing & { readonly dryRun: boolean }): Promise<Write>;
  recreate(target: Target, options: Writing & Pick<Doomed, 'propagation'> & { readonly live: KubeObject; readonly restores?: boolean }): Promise<Write>;
  remove(doomed: { readonly key: ResourceKey; readonly kind: ServedKind }, options: Writing & Pick<Doomed, 'uid' | 'propagation'> & { readonly asSeen?: Seen | undefined }): Promise<Removed>;
  removeOrphanedFields(target: Target, pointers: readonly string[], options: Writing & { readonly seen: KubeObject }): Promise<Write>;
  untilEstablished: Applier['untilEstablished'];
}

export interface ApplierDependencies {
  readonly cluster: ClusterWrites;
  /** What is to be written, as it is to be written; undefined where nothing declares it. */
  readonly targetOf: (key: ResourceKey) => Target | undefined;
  /** How its kind is served, declared or not. */
  readonly kindOf: (key: ResourceKey) => ServedKind | undefined;
  /** The object as it was last seen. */
  readonly liveOf: (key: ResourceKey) => KubeObject | undefined;
  /** Pointers into an object that was just applied: what Git once had, and the apply has left. */
  readonly orphansOf: (key: ResourceKey, applied: KubeObject) => readonly string[];
  readonly onConflict: OnConflict;
  /** Whether what was decided about an object holds for it as it is by then. */
  readonly isJudgedAlike: (seen: KubeObject, now: KubeObject) => boolean;
  /** What the run of a hook is written to. */
  readonly hookRunAnnotation: string;
  readonly mayWrite: () => void;
  readonly wrote: (key: ResourceKey, object: KubeObject | null) => void;
}

/** An applier for one look at an application: what it saw is what is written. */
export function createApplier(deps: ApplierDependencies): Applier {
  const { cluster, targetOf, kindOf, liveOf, orphansOf, onConflict, isJudgedAlike, hookRunAnnotation, mayWrite, wrote } = deps;

  const targetFor = ({ key, object }: Pick<ApplyStep, 'key' | 'object'>): Target | undefined => {
    const kind = kindOf(key);
    return object === undefined || kind === undefined ? targetOf(key) : { kind, manifest: { key, object, origin: '' } };
  };

  const hookFor = ({ key, run }: { readonly key: ResourceKey; readonly run: string | undefined }): Target | undefined => {
    const target = targetOf(key);
    return target === undefined || run === undefined ? target : withAnnotation(target, { [hookRunAnnotation]: run });
  };

  const withoutOrphans = async (target: Target, { object, left = [] }: Landed, writing: Writing): Promise<Write> => {
    const { key } = target.manifest;
    const orphans = orphansOf(key, object);
    if (orphans.length === 0) return { type: 'applied', object, left };
    // What comes next may fail; this is written.
    wrote(key, object);
    const cleaned = await cluster.removeOrphanedFields(target, orphans, { ...writing, seen: object });
    return cleaned.type === 'applied' ? { ...cleaned, left } : cleaned;
  };

  return {
    mayWrite,
    wrote,
    untilEstablished: (definition, options) => cluster.untilEstablished(definition, options),
    async apply(step, signal) {
      const target = targetFor(step);
      if (target === undefined) return notDeclared;
      const writing = { mayWrite, signal, ...(step.skipValidation === true ? { skipValidation: true as const } : {}) };
      const live = liveOf(step.key);
      if (step.replace === true && live !== undefined) return cluster.put(target, { ...writing, live });
      const result = await cluster.applyPerField(target, { ...writing, ...(live === undefined ? {} : { live }), onConflict: step.why === 'adopt' ? leaveToOthers : onConflict });
      return result.type === 'applied' ? withoutOrphans(target, result, writing) : result;
    },
    async create({ key, run }, signal) {
      const target = hookFor({ key, run });
      return target === undefined ? notDeclared : cluster.create(target, { mayWrite, signal, dryRun: false });
    },
    async recreate({ key, uid, propagation, run }, signal) {
      const target = hookFor({ key, run });
      if (target === undefined) return notDeclared;
      const live = liveOf(key) ?? withUid(target.manifest.object, uid);
      if (live.metadata['uid'] !== uid) return { type: 'replaced' };
      return cluster.recreate(target, { mayWrite, signal, live, propagation, restores: run === undefined && !runsWhenCreated(target.kind) });
    },
    async remove({ key, uid, propagation }, signal) {
      const kind = kindOf(key);
      if (kind === undefined) return { type: 'unknown', code: 'KindNotServed', message: 'the cluster does not serve its kind' };
      const live = liveOf(key);
      const asSeen = live === undefined ? undefined : { live, isAlike: (now: KubeObject): boolean => isJudgedAlike(live, now) };
      return cluster.remove({ key, kind }, { mayWrite, signal, uid, propagation, ...(asSeen !== undefined && { asSeen }) });
    },
  };
}

interface Landed {
  readonly object: KubeObject;
  readonly left?: readonly LeftField[];
}

/** What was to be marked only, because it was as Git says, is no longer: that is for the next look to see. */
const leaveToOthers: OnConflict = ({ field, manager }) => ({ type: 'leave', why: `${field} was changed by ${manager} meanwhile` });

/** To create these again is to do their work again. */
function runsWhenCreated({ group, kind }: ServedKind): boolean {
  return (group === 'batch' && kind === 'Job') || (group === '' && kind === 'Pod');
}

const notDeclared = { type: 'invalid', message: 'it is no longer declared' } as const;

/** So that what this sync creates can be told from what an earlier one left. */
function withAnnotation(target: Target, annotation: JsonObject): Target {
  const { object } = target.manifest;
  const annotations = { ...Object.fromEntries(entriesOf(object.metadata['annotations'])), ...annotation };
  return { ...target, manifest: { ...target.manifest, object: { ...object, metadata: { ...object.metadata, annotations } } } };
}

function withUid(object: KubeObject, uid: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid } };
}

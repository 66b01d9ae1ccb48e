import { leftAsLive, leftoversIn } from '../diff/index.ts';
import { entriesOf, trackingAnnotation, type Application, type FieldChange, type KubeObject, type Operation, type ResourceKey } from '../model/index.ts';
import { hookRunAnnotation, isJudgedAlike, takeOver, trackingId } from '../plan/index.ts';
import { createApplier, type Applier } from '../sync/index.ts';
import { namespaceKind } from './namespace-state.ts';
import type { Observation } from './observe.ts';
import type { PlannedLook } from './plan-look.ts';
import type { Ports, Target } from './ports.ts';

interface Look {
  readonly application: Application;
  readonly observation: Observation;
  readonly planned: PlannedLook;
  readonly operation: Operation;
}

export interface LookApplier {
  readonly applier: Applier;
  /** What was written, hooks aside; null: it was deleted. */
  readonly written: ReadonlyMap<ResourceKey, KubeObject | null>;
}

/** What a look saw is what is written, each object with the mark that says whose it is. */
export function createLookApplier({ application, observation, planned, operation }: Look, { cluster, standing, mayWrite }: Ports): LookApplier {
  const { targets, hooks, compared } = observation;
  const wanted = new Map(compared.flatMap((resource) => (resource.wanted === undefined ? [] : [[resource.diff.key, resource.wanted]])));
  const schemas = new Map(compared.map((resource) => [resource.diff.key, resource.schema]));
  const leftovers = new Map(compared.map((resource) => [resource.diff.key, resource.leftovers ?? []]));
  const declared = new Map(targets.map((target) => [target.manifest.key, target]));
  const run = new Map(hooks.map((target) => [target.manifest.key, target]));
  const left = new Map(planned.left.map((target) => [target.manifest.key, target]));
  const written = new Map<ResourceKey, KubeObject | null>();
  const { policy } = application;
  const judged = new Map(observation.judgement.resources.map((resource) => [resource.diff.key, resource]));
  // What somebody asks for, or Git says anew, is wanted whole.
  const isHeal = (key: ResourceKey): boolean => operation.type !== 'manual' && judged.get(key)?.cause === 'live-changed';
  const asFarAsHealed = (key: ResourceKey, object: KubeObject): KubeObject => {
    const [live, diff] = [planned.objects.get(key), judged.get(key)?.diff];
    if (live === undefined || diff?.type !== 'changed' || !isHeal(key)) return object;
    // What an apply leaves anyway is not written at all.
    const isLeft = (change: FieldChange): boolean => change.standing === 'orphaned' || change.standing === 'foreign';
    const names = diff.changes.filter((change) => (change.drift ?? policy.drift) !== 'Heal' && !isLeft(change)).map(({ display }) => display);
    return names.length === 0 ? object : leftAsLive(object, live, { names, schema: schemas.get(key) });
  };
  const targetOf = (key: ResourceKey): Target | undefined => {
    const target = declared.get(key) ?? run.get(key);
    if (target === undefined) return undefined;
    const object = declared.has(key) ? asFarAsHealed(key, wanted.get(key) ?? target.manifest.object) : target.manifest.object;
    return { ...target, manifest: { ...target.manifest, object: marked(object, trackingId(application.id, key)) } };
  };
  const applier = createApplier({
    cluster,
    targetOf,
    kindOf: (key) => (declared.get(key) ?? run.get(key) ?? left.get(key))?.kind ?? (key.startsWith('/Namespace/') ? namespaceKind : undefined),
    liveOf: (key) => planned.objects.get(key),
    orphansOf: (key, applied) => leftoversIn(applied, (leftovers.get(key) ?? []).filter(({ drift = policy.drift }) => !isHeal(key) || drift === 'Heal')),
    onConflict: (conflict) => takeOver([conflict]),
    isJudgedAlike,
    hookRunAnnotation,
    mayWrite,
    wrote(key, object) {
      if (object !== null) standing.applied(key, object);
      if (declared.has(key) || left.has(key)) written.set(key, object);
    },
  });
  return { applier, written };
}

function marked(object: KubeObject, mark: string): KubeObject {
  const annotations = { ...Object.fromEntries(entriesOf(object.metadata['annotations'])), [trackingAnnotation]: mark };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

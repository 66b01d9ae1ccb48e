import {
  agreedStateOf,
  compareObjects,
  confirmedOrphans,
  hashWith,
  isSecret,
  liveDigest,
  mayComeBack,
  missingObject,
  neutralise,
  orphanCandidates,
  overlay,
  predictSecret,
  prove,
  differingOverlay,
  removalOf,
  rewrittenPaths,
  secretObstacle,
  volatilePaths,
  type ComparedResource,
  type IgnoreRules,
  type ObjectIgnores,
  type Sides,
  type Tag,
} from '../diff/index.ts';
import { fieldManager, type ChangeStep, type Diff, type FieldChange, type JsonObject, type KubeObject, type LiveObject, type Refusal, type Schema } from '../model/index.ts';
import type { ClusterPort, Reading, Target } from './ports.ts';

export interface CompareContext {
  readonly cluster: Pick<ClusterPort, 'read' | 'predict' | 'predictPatch'>;
  readonly salt: string;
  readonly tag: Tag;
  readonly ignores: IgnoreRules | undefined;
  readonly signal: AbortSignal;
}

/** All that is known of one object before the server is asked what an apply would do. */
export interface Known {
  readonly reading: Reading;
  readonly journal: readonly ChangeStep[];
  readonly schema: Schema | undefined;
  /** The fields that Git had when both were last seen to agree. */
  readonly recorded: JsonObject | undefined;
}

/** `unsettled`: the object changed between the reading and the server's answer, so the two do not belong together. */
export async function compareOne(target: Target, known: Known, context: CompareContext): Promise<ComparedResource | 'unsettled'> {
  const { manifest, kind } = target;
  const { key, origin } = manifest;
  const { reading, schema } = known;
  if (reading.type === 'absent') return { diff: missingObject(manifest, context.tag), state: null };
  if (reading.type === 'unknown') return { diff: { ...reading, key, origin }, state: null };
  const { live } = reading;
  const since = live.object.metadata['deletionTimestamp'];
  if (typeof since === 'string') {
    return { diff: { type: 'terminating', key, origin, message: `it is being deleted since ${since}: what is applied now goes with it` }, state: null };
  }
  const ignores = context.ignores?.for(key);
  const { object: desired } = manifest;
  const wanted = ignores === undefined ? desired : neutralise(desired, live.object, { ignores, fillIn: false });
  const comparison = { target, wanted, live, known, context, ignores };
  const found = await (isSecret(live.object) ? compareSecret(comparison) : compareLive(comparison));
  if (found === 'unsettled') return found;
  const diff = wanted !== desired && (found.type === 'same' || found.type === 'changed') ? { ...found, ignored: ignoredIn(comparison) } : found;
  const { hasStatus } = kind;
  const state = once(() => agreedStateOf({ desired, live: live.object, hasStatus, schema }, hashWith(context.salt)));
  return { diff, state, ...(wanted === desired ? {} : { wanted }) };
}

/** Worked out when it is first asked for; then what it was made from is let go. */
function once<T>(make: () => T): () => T {
  let [source, value]: [(() => T) | undefined, T | undefined] = [make, undefined];
  return () => {
    if (source !== undefined) value = source();
    source = undefined;
    return value as T;
  };
}

interface Comparison {
  readonly target: Target;
  /** What Git says, with what is ignored as it is live. */
  readonly wanted: KubeObject;
  readonly live: LiveObject;
  readonly known: Known;
  readonly context: CompareContext;
  readonly ignores: ObjectIgnores | undefined;
}

/** Never tried on the server: what an apply makes of a Secret is exactly known here. */
async function compareSecret(comparison: Comparison): Promise<Diff> {
  const { target, live, known } = comparison;
  const { object: desired } = target.manifest;
  const predicted = predictSecret(live.object, desired, fieldManager);
  const obstacle = secretObstacle(live.object, predicted);
  const orphans = known.schema === undefined ? [] : orphanCandidates({ desired, live: predicted, recorded: known.recorded, schema: known.schema });
  return conclude(comparison, { predicted, orphans, ...(obstacle === undefined ? {} : { obstacle }) });
}

async function compareLive(comparison: Comparison): Promise<Diff | 'unsettled'> {
  const { target, wanted, live, known, context } = comparison;
  const { cluster, signal } = context;
  const { object: desired } = target.manifest;
  const tried = wanted === desired ? target : { ...target, manifest: { ...target.manifest, object: wanted } };
  if (prove(wanted, live.object, known.schema) === 'equal') return withOrphans(comparison, { predicted: live.object });

  const prediction = await cluster.predict(tried, signal);
  if (prediction.type !== 'predicted') return explainRefusal(comparison, prediction);
  const predicted = prediction.object;
  const settled = await settle(comparison, predicted);
  if (settled === undefined) return 'unsettled';

  const rewritten = rewrittenPaths({ live: settled.live.object, desired: wanted, predicted, hasStatus: target.kind.hasStatus, schema: known.schema });
  if (rewritten.length === 0) return withOrphans(settled, { predicted });
  const second = await cluster.predict(tried, signal);
  const volatile = second.type === 'predicted' ? volatilePaths(rewritten, predicted, second.object) : new Set<string>();
  return withOrphans(settled, { predicted, volatile });
}

/**
 * The comparison with the live object that the prediction was made from. The reading may be older: controllers write status
 * all the time, and a watch is always a little late. Undefined where it changed in what is compared, too.
 */
async function settle(comparison: Comparison, predicted: KubeObject): Promise<Comparison | undefined> {
  const { target, live, context } = comparison;
  const { resourceVersion } = predicted.metadata;
  if (resourceVersion === live.resourceVersion) return comparison;
  const fresh = await context.cluster.read(target, context.signal);
  if (fresh.type !== 'live') return undefined;
  const isAlike = (): boolean => liveDigest(fresh.live.object, target.kind) === liveDigest(live.object, target.kind);
  return fresh.live.resourceVersion === resourceVersion || isAlike() ? { ...comparison, live: fresh.live } : undefined;
}

type Outcome = Pick<Sides, 'predicted'> & Partial<Pick<Sides, 'orphans' | 'volatile' | 'obstacle' | 'unconfirmed'>>;

function conclude({ target, live, known, context, ignores }: Comparison, outcome: Outcome): Diff {
  const { schema, journal } = known;
  return compareObjects(target.manifest, { live, hasStatus: target.kind.hasStatus, schema, journal, ignores, tag: context.tag, ...outcome });
}

/** Adds what Git once had and an apply would leave, as far as the server confirms that removing it removes it. */
async function withOrphans(comparison: Comparison, outcome: Outcome): Promise<Diff> {
  const { target, live, known, context } = comparison;
  if (known.schema === undefined) return conclude(comparison, outcome);
  const search = { desired: target.manifest.object, live: live.object, recorded: known.recorded, schema: known.schema };
  const candidates = orphanCandidates(search);
  if (candidates.length === 0) return conclude(comparison, outcome);
  const tried = await context.cluster.predictPatch(target, removalOf(candidates, live.object), context.signal);
  if (tried.type === 'predicted') {
    const orphans = confirmedOrphans({ ...search, candidates, without: tried.object, predicted: outcome.predicted });
    return conclude(comparison, { ...outcome, orphans });
  }
  // What may not be removed is not ours to complain about; where the server cannot be asked, what cannot come back is certain.
  if (tried.type !== 'unconfirmed') return conclude(comparison, outcome);
  const orphans = orphanCandidates({ ...search, live: outcome.predicted }).filter((pointer) => !mayComeBack(pointer, known.schema));
  return conclude(comparison, orphans.length === 0 ? outcome : { ...outcome, orphans, unconfirmed: tried.message });
}

/** What the ignore rules keep out of the verdict: differences that are nowhere else, for the server is asked without them. */
function ignoredIn(comparison: Comparison): readonly FieldChange[] {
  const { target, live, known } = comparison;
  const diff = conclude(comparison, { predicted: differingOverlay(target.manifest.object, live.object, known.schema ?? untyped) });
  return diff.type === 'same' || diff.type === 'changed' ? diff.ignored : [];
}

const untyped: Schema = { type: 'any' };

/** The server would not say what an apply does. What is certain without it is shown; the rest is not known. */
function explainRefusal(comparison: Comparison, refusal: Refusal): Diff {
  const { target, wanted, live, known } = comparison;
  const { key, origin } = target.manifest;
  switch (refusal.type) {
    case 'invalid':
    case 'terminating':
      return { ...refusal, key, origin };
    case 'unknown':
      return { ...refusal, key, origin };
    case 'replace':
    case 'denied': {
      const predicted = differingOverlay(wanted, live.object, known.schema ?? untyped);
      const diff = conclude(comparison, { predicted, obstacle: refusal });
      // Refused, and yet no field that certainly differs: then it is the manifest that cannot be had.
      return diff.type === 'changed' ? diff : { type: 'invalid', key, origin, message: refusal.message };
    }
    case 'unconfirmed': {
      const { code, message } = refusal;
      const diff = conclude(comparison, { predicted: certain(wanted, live, known.schema), unconfirmed: message });
      if (diff.type !== 'changed') return { type: 'unknown', key, origin, code, message };
      // A value under our own name that is not what Git says: admission may have made it so, and would again.
      const suspected = diff.changes.every(({ owners }) => owners.length === 0);
      const fields = diff.changes.map(({ display }) => display).join(', ');
      return suspected ? { type: 'unknown', key, origin, code, message: `${fields} may have drifted: ${message}` } : diff;
    }
  }
}

function certain(wanted: KubeObject, live: LiveObject, schema: Schema | undefined): KubeObject {
  return overlay(wanted, live.object, schema ?? untyped);
}

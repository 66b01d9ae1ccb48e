import {
  agreedStateOf,
  compareObjects,
  confirmedOrphans,
  hashWith,
  isSecret,
  missingObject,
  neutralise,
  orphanCandidates,
  overlay,
  predictSecret,
  prove,
  refusedOverlay,
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
  readonly cluster: Pick<ClusterPort, 'predict' | 'predictPatch'>;
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
  const comparison = { target, live, known, context, ignores: context.ignores?.for(key) };
  const diff = await (isSecret(live.object) ? compareSecret(comparison) : compareLive(comparison));
  if (diff === 'unsettled') return diff;
  const { hasStatus } = kind;
  return { diff, state: () => agreedStateOf({ desired: manifest.object, live: live.object, hasStatus, schema }, hashWith(context.salt)) };
}

interface Comparison {
  readonly target: Target;
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
  const { target, live, known, context, ignores } = comparison;
  const { cluster, signal } = context;
  const { object: desired } = target.manifest;
  const wanted = ignores === undefined ? desired : neutralise(desired, live.object, { ignores, fillIn: false });
  if (prove(wanted, live.object, known.schema) === 'equal') {
    const settled = await withOrphans(comparison, { predicted: live.object });
    return wanted === desired || settled.type !== 'same' ? settled : { ...settled, ignored: ignoredIn(comparison) };
  }

  const prediction = await cluster.predict(target, signal);
  if (prediction.type !== 'predicted') return explainRefusal(comparison, prediction);
  const predicted = prediction.object;
  if (predicted.metadata['resourceVersion'] !== live.resourceVersion) return 'unsettled';

  const rewritten = rewrittenPaths({ live: live.object, desired, predicted, hasStatus: target.kind.hasStatus, schema: known.schema });
  if (rewritten.length === 0) return withOrphans(comparison, { predicted });
  const second = await cluster.predict(target, signal);
  const volatile = second.type === 'predicted' ? volatilePaths(rewritten, predicted, second.object) : new Set<string>();
  return withOrphans(comparison, { predicted, volatile });
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
  // What may not be removed is not ours to complain about.
  if (tried.type !== 'predicted') return conclude(comparison, outcome);
  const orphans = confirmedOrphans({ ...search, candidates, without: tried.object, predicted: outcome.predicted });
  return conclude(comparison, { ...outcome, orphans });
}

/** What the ignore rules keep out of the verdict, of an object that is in sync because of them. */
function ignoredIn(comparison: Comparison): readonly FieldChange[] {
  const { target, live, known } = comparison;
  const diff = conclude(comparison, { predicted: certain(target, live, known.schema) });
  return diff.type === 'same' || diff.type === 'changed' ? diff.ignored : [];
}

const untyped: Schema = { type: 'any' };

/** The server would not say what an apply does. What is certain without it is shown; the rest is not known. */
function explainRefusal(comparison: Comparison, refusal: Refusal): Diff {
  const { target, live, known } = comparison;
  const { key, origin } = target.manifest;
  switch (refusal.type) {
    case 'invalid':
    case 'terminating':
      return { ...refusal, key, origin };
    case 'unknown':
      return { ...refusal, key, origin };
    case 'replace':
    case 'denied': {
      const predicted = refusedOverlay(target.manifest.object, live.object, known.schema ?? untyped);
      const diff = conclude(comparison, { predicted, obstacle: refusal });
      // Refused, and yet no field that certainly differs: then it is the manifest that cannot be had.
      return diff.type === 'changed' ? diff : { type: 'invalid', key, origin, message: refusal.message };
    }
    case 'unconfirmed': {
      const { code, message } = refusal;
      const diff = conclude(comparison, { predicted: certain(target, live, known.schema), unconfirmed: message });
      if (diff.type !== 'changed') return { type: 'unknown', key, origin, code, message };
      // A value under our own name that is not what Git says: admission may have made it so, and would again.
      const suspected = diff.changes.every(({ owners }) => owners.length === 0);
      const fields = diff.changes.map(({ display }) => display).join(', ');
      return suspected ? { type: 'unknown', key, origin, code, message: `${fields} may have drifted: ${message}` } : diff;
    }
  }
}

function certain({ manifest }: Target, live: LiveObject, schema: Schema | undefined): KubeObject {
  return overlay(manifest.object, live.object, schema ?? untyped);
}

import {
  agreedStateOf,
  alsoIgnoring,
  differingOverlay,
  hashWith,
  isSecret,
  liveDigest,
  missingObject,
  neutralise,
  predictReturn,
  predictSecret,
  prove,
  replicasPointer,
  rewrittenPaths,
  secretObstacle,
  volatilePaths,
  withModes,
  type ComparedResource,
  type ReplicaRange,
} from '../diff/index.ts';
import { fieldManager, type FieldChange, type KubeObject } from '../model/index.ts';
import { conclude, concludeWith, type CompareContext, type Comparison, type Found, type Known } from './comparison.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { Target } from './ports.ts';
import { predictTakeOver } from './predict-take-over.ts';
import { certainLeftovers, withLeftovers } from './with-leftovers.ts';

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
  const range = await context.scaledBy(target, live.object);
  const own = context.ignores?.for(key);
  const ignores = range === undefined ? own : alsoIgnoring(own, replicasPointer);
  const { object: desired } = manifest;
  const wanted = ignores === undefined ? desired : neutralise(desired, live.object, { ignores, fillIn: false, schema: schema ?? { type: 'any' } });
  const comparison = { target, wanted, live, known, context, ignores };
  const found = isSecret(live.object) ? compareSecret(comparison) : await compareLive(comparison);
  if (found === 'unsettled') return found;
  const { diff: bare, leftovers } = withDriftModes(found, comparison);
  const diff = wanted !== desired && (bare.type === 'same' || bare.type === 'changed') ? { ...bare, ignored: ignoredIn(comparison) } : bare;
  const { hasStatus } = kind;
  const state = once(() => agreedStateOf({ desired, live: live.object, hasStatus, schema }, hashWith(context.salt)));
  return { diff, state, ...(leftovers.length === 0 ? {} : { leftovers }), ...(wanted === desired ? {} : { wanted }), ...(context.drift === undefined || schema === undefined ? {} : { schema }), ...(range === undefined ? {} : { notice: leftTo(range) }) };
}

function withDriftModes({ diff, leftovers }: Found, { live, known: { schema }, context: { drift: rules } }: Comparison): Found {
  if (rules === undefined) return { diff, leftovers };
  const moded = leftovers.map((leftover) => {
    const drift = rules.modeAt(diff.key, leftover.pointer, live.object);
    return drift === undefined ? leftover : { ...leftover, drift };
  });
  return { diff: withModes(diff, { live: live.object, rules, schema }), leftovers: moded };
}

/** The same however it is scaled: it is told once. */
function leftTo({ autoscaler, least, most }: ReplicaRange): string {
  return `spec.replicas is left to the HorizontalPodAutoscaler ${autoscaler}, which may choose ${least} to ${most}: take it out of Git`;
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

/** Never tried on the server: what an apply makes of a Secret is exactly known here. */
function compareSecret(comparison: Comparison): Found {
  const { wanted, live } = comparison;
  const predicted = predictSecret(live.object, wanted, fieldManager);
  const obstacle = secretObstacle(live.object, predicted);
  return concludeWith(comparison, { predicted, ...certainLeftovers(comparison, predicted), ...(obstacle === undefined ? {} : { obstacle }) });
}

async function compareLive(comparison: Comparison): Promise<Found | 'unsettled'> {
  const { target, wanted, live, known, context } = comparison;
  const { cluster, signal } = context;
  const { object: desired } = target.manifest;
  const tried = wanted === desired ? target : { ...target, manifest: { ...target.manifest, object: wanted } };
  const answer = prove(wanted, live.object, known.schema);
  if (answer === 'equal') return withLeftovers(comparison, { predicted: live.object });
  const returned = answer === 'different' ? returnOf(comparison) : undefined;
  if (returned !== undefined) return withLeftovers(comparison, { predicted: returned });

  const prediction = await cluster.predict(tried, signal);
  if (prediction.type !== 'predicted') {
    const taken = prediction.type === 'invalid' ? await predictTakeOver(comparison, prediction) : prediction;
    if (taken === 'unsettled') return taken;
    if ('type' in taken) return { diff: explainRefusal(comparison, taken), leftovers: [] };
    const seen = await settle(comparison, taken.predicted);
    return seen === undefined ? 'unsettled' : concludeWith(seen, taken);
  }
  const predicted = prediction.object;
  const settled = await settle(comparison, predicted);
  if (settled === undefined) return 'unsettled';

  const rewritten = rewrittenPaths({ live: settled.live.object, desired: wanted, predicted, hasStatus: target.kind.hasStatus, schema: known.schema });
  if (rewritten.length === 0) return withLeftovers(settled, { predicted });
  const second = await cluster.predict(tried, signal);
  const volatile = second.type === 'predicted' ? volatilePaths(rewritten, predicted, second.object) : new Set<string>();
  return withLeftovers(settled, { predicted, volatile });
}

/** What the object was when both last agreed, where an apply would surely bring it back to that. */
function returnOf({ target: { manifest, kind }, wanted, live, known: { agreed, schema }, context }: Comparison): KubeObject | undefined {
  if (agreed === undefined || schema === undefined || wanted !== manifest.object) return undefined;
  return predictReturn({ desired: wanted, live: live.object, agreed, hasStatus: kind.hasStatus, schema }, hashWith(context.salt));
}

/**
 * The comparison with the live object that the prediction was made from. The reading may be older: controllers write status
 * all the time, and a watch is always a little late. Undefined where it changed in what is compared, too.
 */
async function settle(comparison: Comparison, predicted: KubeObject): Promise<Comparison | undefined> {
  const { target, live, known, context } = comparison;
  const { resourceVersion } = predicted.metadata;
  if (resourceVersion === live.resourceVersion) return comparison;
  const fresh = await context.cluster.read(target, context.signal);
  if (fresh.type !== 'live') return undefined;
  const isAlike = (): boolean => liveDigest(fresh.live.object, target.kind) === liveDigest(live.object, target.kind);
  if (fresh.live.resourceVersion !== resourceVersion && !isAlike()) return undefined;
  const journal = context.saw?.(fresh.live) ?? known.journal;
  return { ...comparison, live: fresh.live, known: { ...known, journal } };
}

/** What the ignore rules keep out of the verdict: differences that are nowhere else, for the server is asked without them. */
function ignoredIn(comparison: Comparison): readonly FieldChange[] {
  const { target, live, known, ignores } = comparison;
  const { object: desired } = target.manifest;
  const ignoredBy = (predicted: KubeObject): readonly FieldChange[] => {
    const diff = conclude(comparison, { predicted });
    return diff.type === 'same' || diff.type === 'changed' ? diff.ignored : [];
  };
  const differing = ignoredBy(differingOverlay(desired, live.object, known.schema ?? { type: 'any' }));
  const withoutExtras = ignores === undefined ? live.object : neutralise(live.object, desired, { ignores, fillIn: false });
  const extras = ignoredBy(withoutExtras).filter((change) => change.desired === undefined);
  return [...differing, ...extras.filter(({ path }) => !differing.some((change) => change.path === path))];
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Refusal } from '../model/index.ts';
import { collectionPath } from './collection-path.ts';
import type { Cluster, Prediction, Target } from './cluster.ts';
import { createDryRunRight, type DryRunRight } from './dry-run-right.ts';
import { mayNotTry } from './object-refusal.ts';

interface Limits {
  readonly perSecond: number;
  /** How many may go at once after a quiet time. */
  readonly burst: number;
  readonly now: () => number;
}

const defaults: Limits = { perSecond: 100, burst: 300, now: () => performance.now() };

type DryRuns = Pick<Cluster, 'predict' | 'predictPatch'>;

// The server will not learn to apply a kind, nor we be given a right, from one minute to the next.
const refusalMs = 10 * 60_000;

/**
 * Dry runs for a process that stays: they run the whole of admission, so a storm of changes must not become a storm of these, and
 * what is not allowed is not tried.
 */
export function limitDryRuns(cluster: DryRuns & Pick<Cluster, 'may'>, { perSecond, burst, now }: Limits = defaults): DryRuns {
  const turn = createBucket({ perSecond, burst, now });
  const rights = new Map<string, { readonly right: DryRunRight; readonly askedAt: number }>();
  const refusals = new Map<string, { readonly refusal: Refusal; readonly at: number }>();
  const rightAt = (place: string, target: Target): DryRunRight => {
    const { right, askedAt } = rights.get(place) ?? { right: createDryRunRight(cluster, target), askedAt: now() };
    rights.set(place, { right, askedAt });
    return right;
  };
  /** Undefined where nothing is known against it. What was refused long ago is forgotten, with the right as it was then. */
  const refusalAt = (scope: string, place: string): Refusal | undefined => {
    const known = refusals.get(scope);
    if (known === undefined || now() < known.at + refusalMs) return known?.refusal;
    refusals.delete(scope);
    if ((rights.get(place)?.askedAt ?? Infinity) <= known.at) rights.delete(place);
    return undefined;
  };
  const limited = async (target: Target, signal: AbortSignal, ask: () => Promise<Prediction>): Promise<Prediction> => {
    const { kind, manifest } = target;
    const place = collectionPath(kind, manifest.object.metadata.namespace);
    // A right may be given for single names: of the others a refusal says nothing. What the server cannot do it can do for none.
    const own = `${place}/${manifest.object.metadata.name}`;
    const known = refusalAt(place, place) ?? refusalAt(own, place);
    if (known !== undefined) return known;
    const isAllowed = await rightAt(place, target).isGiven(target, signal);
    if (isAllowed) await turn(signal);
    const answer = isAllowed ? await ask() : mayNotTry(target);
    if (answer.type === 'unconfirmed' && answer.scope === 'kind') refusals.set(answer.code === 'Forbidden' ? own : place, { refusal: answer, at: now() });
    return answer;
  };
  return {
    predict: (target, signal) => limited(target, signal, () => cluster.predict(target, signal)),
    predictPatch: (target, patch, signal) => limited(target, signal, () => cluster.predictPatch(target, patch, signal)),
  };
}

/** Tokens drip in, up to a burst; who finds none waits for its own. */
function createBucket({ perSecond, burst, now }: Limits): (signal: AbortSignal) => Promise<void> {
  let [tokens, at] = [burst, now()];
  return async (signal) => {
    const time = now();
    tokens = Math.min(burst, tokens + ((time - at) / 1000) * perSecond) - 1;
    at = time;
    if (tokens < 0) await sleep((-tokens / perSecond) * 1000, undefined, { signal });
  };
}

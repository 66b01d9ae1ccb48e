import { confirmedLeftovers, mayComeBack, orphanCandidates, removalOf, revertible } from '../diff/index.ts';
import type { KubeObject } from '../model/index.ts';
import { concludeWith, type Comparison, type Found, type Outcome } from './comparison.ts';

type Find = (object: KubeObject) => readonly string[];

/**
 * Adds what Git once had and an apply would leave and, where that is wanted, what people added, as far as the server confirms that
 * removing it removes it.
 */
export async function withLeftovers(comparison: Comparison, outcome: Outcome): Promise<Found> {
  const { target, live, context } = comparison;
  const { orphansIn, addedIn } = searches(comparison);
  const find: Find = (object) => union(orphansIn(object), addedIn(object));
  const candidates = find(live.object);
  if (candidates.length === 0) return concludeWith(comparison, outcome);
  const tried = await context.cluster.predictPatch(target, removalOf(candidates, live.object), context.signal);
  if (tried.type === 'predicted') {
    const found = confirmedLeftovers({ live: live.object, candidates, find, without: tried.object, predicted: outcome.predicted });
    return concludeWith(comparison, { ...outcome, ...apart(found, orphansIn(outcome.predicted)) });
  }
  // What may not be removed is not ours to complain about; where the server cannot be asked, what cannot come back is certain.
  if (tried.type !== 'unconfirmed') return concludeWith(comparison, outcome);
  const left = certainLeftovers(comparison, outcome.predicted);
  const isSome = (left.orphans?.length ?? 0) + (left.reverted?.length ?? 0) > 0;
  return concludeWith(comparison, isSome ? { ...outcome, ...left, unconfirmed: tried.message } : outcome);
}

/** Those that the server cannot fill in again, whatever it says. */
export function certainLeftovers(comparison: Comparison, predicted: KubeObject): Pick<Outcome, 'orphans' | 'reverted'> {
  const { orphansIn, addedIn } = searches(comparison);
  const isCertain = (pointer: string): boolean => !mayComeBack(pointer, comparison.known.schema);
  const orphans = orphansIn(predicted);
  return apart(union(orphans, addedIn(predicted)).filter(isCertain), orphans);
}

function searches({ target, known, context }: Comparison): { readonly orphansIn: Find; readonly addedIn: Find } {
  const { manifest, kind } = target;
  const { recorded, schema } = known;
  return {
    orphansIn: (object) => (schema === undefined ? [] : orphanCandidates({ desired: manifest.object, live: object, recorded, schema })),
    addedIn: (object) => (schema === undefined || context.revertsForeign !== true ? [] : revertible(manifest.object, object, kind)),
  };
}

/** Of a place and what is below it, the place is enough. */
function union(one: readonly string[], other: readonly string[]): readonly string[] {
  const all = [...new Set([...one, ...other])];
  return all.filter((pointer) => !all.some((above) => pointer.startsWith(`${above}/`)));
}

function apart(found: readonly string[], orphans: readonly string[]): Pick<Outcome, 'orphans' | 'reverted'> {
  return { orphans: found.filter((pointer) => orphans.includes(pointer)), reverted: found.filter((pointer) => !orphans.includes(pointer)) };
}

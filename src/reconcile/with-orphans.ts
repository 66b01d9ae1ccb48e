import { confirmedOrphans, mayComeBack, orphanCandidates, removalOf } from '../diff/index.ts';
import type { Diff } from '../model/index.ts';
import { conclude, type Comparison, type Outcome } from './comparison.ts';

/** Adds what Git once had and an apply would leave, as far as the server confirms that removing it removes it. */
export async function withOrphans(comparison: Comparison, outcome: Outcome): Promise<Diff> {
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

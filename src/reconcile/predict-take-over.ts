import { droppedFields, guarded, isIgnored, keysOf, merged, obstructingFields, plainPatch, removeAt } from '../diff/index.ts';
import type { Refusal } from '../model/index.ts';
import type { Comparison, Outcome } from './comparison.ts';

/**
 * What a sync makes of an object where the server refuses a dry run because something of before stands beside what Git has instead: what
 * client-side apply wrote (a variable's value beside its source, one handler of a probe beside the other), which the first apply takes
 * over, or what nobody holds (the limits of a rolling update beside Recreate), which a sync claims. A dry run does neither, so that the
 * same is tried as a patch. A refusal where that is not why; `unsettled` where somebody has written in between, which fails the tests of
 * a patch like a mistake in it.
 */
export async function predictTakeOver({ target, wanted, live, known, context, ignores }: Comparison, refused: Extract<Refusal, { type: 'invalid' }>): Promise<Outcome | Refusal | 'unsettled'> {
  const { schema } = known;
  if (schema === undefined) return refused;
  const sides = { desired: target.manifest.object, live: live.object };
  const isMeant = (pointer: string): boolean => ignores === undefined || !isIgnored(keysOf(pointer), live.object, ignores);
  const dropped = [...droppedFields({ ...sides, schema }), ...obstructingFields({ ...sides, fields: refused.fields ?? [] })].filter(isMeant);
  if (dropped.length === 0) return refused;
  const after = merged(wanted, removeAt(live.object, dropped), schema);
  const tried = await context.cluster.predictPatch(target, guarded(plainPatch(live.object, after), live.object), context.signal);
  if (tried.type === 'predicted') return { predicted: tried.object, dropped };
  // What could not be tried is not known, and what is refused is refused as the apply was.
  if (tried.type !== 'invalid') return tried;
  const now = await context.cluster.read(target, context.signal);
  return now.type === 'live' && now.live.resourceVersion === live.resourceVersion ? refused : 'unsettled';
}

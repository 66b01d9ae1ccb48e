import { droppedFields, guarded, isIgnored, keysOf, merged, plainPatch, removeAt } from '../diff/index.ts';
import type { Comparison, Outcome } from './comparison.ts';

/**
 * What the first apply makes of an object that client-side apply wrote, where the server refuses a dry run because what Git dropped stands
 * beside what it has instead: a variable's value beside its source, one handler of a probe beside the other. That apply takes over what
 * was written so, and it goes; a dry run cannot, so that the same is tried as a patch. Undefined where that is not why it is refused;
 * `unsettled` where somebody has written in between, which fails the tests of a patch like a mistake in it.
 */
export async function predictTakeOver({ target, wanted, live, known, context, ignores }: Comparison): Promise<Outcome | 'unsettled' | undefined> {
  const { schema } = known;
  if (schema === undefined) return undefined;
  const isMeant = (pointer: string): boolean => ignores === undefined || !isIgnored(keysOf(pointer), live.object, ignores);
  const dropped = droppedFields({ desired: target.manifest.object, live: live.object, schema }).filter(isMeant);
  if (dropped.length === 0) return undefined;
  const after = merged(wanted, removeAt(live.object, dropped), schema);
  const tried = await context.cluster.predictPatch(target, guarded(plainPatch(live.object, after), live.object), context.signal);
  if (tried.type === 'predicted') return { predicted: tried.object, dropped };
  const now = await context.cluster.read(target, context.signal);
  return now.type === 'live' && now.live.resourceVersion === live.resourceVersion ? undefined : 'unsettled';
}

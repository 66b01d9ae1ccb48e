import type { PlanInput } from '../plan-input.ts';
import { otherToolOf } from '../apply-vetoes.ts';
import { lostWith } from '../dangerous-kinds.ts';
import { optionOf } from '../sync-options.ts';
import { adoption } from '../take-from.ts';
import type { Doomed } from './doomed.ts';

/** Why somebody has to say that this is meant; undefined where nobody has to. */
export function whyConfirm({ key, facts }: Doomed, { application, operation }: PlanInput): string | undefined {
  const option = operation?.type === 'delete' ? 'Delete' : 'Prune';
  const lost = lostWith(key);
  if (lost !== undefined) return `${lost} would be lost with it`;
  if (optionOf(option, facts.marks.options, application.syncOptions) === 'confirm') return `it says ${option}=confirm`;
  // Whether it was ours first, or theirs, nothing tells: they may have taken it over, to keep it.
  const tool = adoption(facts.marks, application) === 'true' ? undefined : otherToolOf(facts);
  return tool === undefined ? undefined : `${tool} applies it, too`;
}

import type { PlanInput } from '../plan-input.ts';
import { lostWith } from '../dangerous-kinds.ts';
import { optionOf } from '../sync-options.ts';
import type { Doomed } from './doomed.ts';

/** Why somebody has to say that this is meant; undefined where nobody has to. */
export function whyConfirm({ key, facts }: Doomed, { application, operation }: PlanInput): string | undefined {
  const option = operation?.type === 'delete' ? 'Delete' : 'Prune';
  const lost = lostWith(key);
  if (lost !== undefined) return `${lost} would be lost with it`;
  return optionOf(option, facts.marks.options, application.syncOptions) === 'confirm' ? `it says ${option}=confirm` : undefined;
}

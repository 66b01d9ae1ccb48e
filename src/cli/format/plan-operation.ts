import { displayKey, type HeldStep, type Operation } from '../../model/index.ts';
import type { StatusItem } from '../status-item.ts';
import { oneLine, printable } from './printable.ts';

/** `setpoint sync shop/web`, to be typed as it is. */
export function commandText(verb: string, { id, kept }: Pick<StatusItem, 'id' | 'kept'>): string {
  return `setpoint ${verb} ${printable(id)}${kept === 'folder' ? ' --state …' : ''}`;
}

/** `2 applied, 1 pruned` */
export function doneText({ done }: Pick<Operation, 'done'>): string {
  const { applied = 0, pruned = 0, failed = 0 } = done ?? {};
  const counts = Object.entries({ applied, pruned, failed }).filter(([, count]) => count > 0);
  return counts.map(([word, count]) => `${count} ${word}`).join(', ') || 'nothing to change';
}

/** `manual by alice to 4e9c917, running: 2 applied: Deployment shop/web is Progressing` */
export function operationText(operation: Operation): string {
  const { type, request, revision, state, message } = operation;
  const who = request === undefined || request.by === '' ? '' : ` by ${printable(request.by)}`;
  const where = revision === null ? '' : ` to ${printable(revision.slice(0, 7))}`;
  return `${type}${who}${where}, ${state}: ${doneText(operation)}${message === undefined ? '' : `: ${oneLine(message)}`}`;
}

/** What is refused, why, and what to say back. */
export function heldLines(held: readonly HeldStep[], item: Pick<StatusItem, 'id' | 'kept'>): readonly string[] {
  return held.flatMap(({ key, code, why, confirm }) => [
    `  ${printable(displayKey(key))}  ${printable(code)}: ${oneLine(why)}`,
    ...(confirm === undefined ? [] : [`      ${commandText('sync', item)} ${approvalText(confirm)}`]),
  ]);
}

/** What is to be pruned has to be asked for as well, unless the application always prunes. */
export function approvalText(confirm: string): string {
  return `${confirm.startsWith('prune-') ? '--prune ' : ''}--approve ${printable(confirm)}`;
}

import { hasSucceeded, isPaused, SetpointError, type AppStatus, type HistoryEntry } from '../model/index.ts';
import type { StatusItem } from './status-item.ts';

/** The entry to go back to: the one that was named, or the last that succeeded before the present. Throws where there is none. */
export function rollbackTarget({ history }: Pick<AppStatus, 'history'>, id: string | undefined): HistoryEntry & { readonly revision: string } {
  if (id !== undefined) return named(history, id);
  const present = history[0]?.revision;
  const target = history.find((entry) => entry.revision !== present && hasSucceeded(entry) && isCommit(entry.revision));
  if (target === undefined) throw new SetpointError('Usage', `there is no earlier sync to go back to: ${choiceOf(history)}`);
  return withCommit(target);
}

function named(history: AppStatus['history'], id: string): HistoryEntry & { readonly revision: string } {
  const entry = history.find((each) => String(each.id) === id);
  if (entry === undefined) throw new SetpointError('Usage', `there is no sync ${id} on record: ${choiceOf(history)}`);
  if (!hasSucceeded(entry)) throw new SetpointError('Usage', `sync ${id} ${entry.state === 'terminated' ? 'was ended before it was done' : 'failed'}, so what it left is nothing to go back to: ${choiceOf(history)}; setpoint sync --revision takes any commit`);
  return withCommit(entry);
}

function withCommit(entry: HistoryEntry): HistoryEntry & { readonly revision: string } {
  const { revision } = entry;
  if (!isCommit(revision)) throw new SetpointError('Usage', `sync ${entry.id} has no whole commit id on record, and cannot be gone back to`);
  return { ...entry, revision };
}

function isCommit(revision: string | null): revision is string {
  return revision !== null && /^[0-9a-f]{40}$/.test(revision);
}

function choiceOf(history: AppStatus['history']): string {
  const succeeded = history.filter(hasSucceeded);
  if (succeeded.length === 0) return 'none that succeeded is on record';
  return `on record are ${succeeded.map(({ id, revision }) => `${id} (${revision?.slice(0, 7) ?? 'no commit'})`).join(', ')}`;
}

/** Why going back would be of no use; undefined where it is. */
export function whyUndone({ id, deploy, pause }: Pick<StatusItem, 'id' | 'deploy' | 'pause'>, now: Date): string | undefined {
  if (deploy !== 'automatic' || isPaused(pause, now)) return undefined;
  return `${id} applies new commits by itself, so that it would go forward again at once: revert the commit in Git, or set spec.syncPolicy.automated.enabled to false first`;
}

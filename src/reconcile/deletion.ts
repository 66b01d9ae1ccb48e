import type { Application, AppStatus, Operation } from '../model/index.ts';
import { isUnderWay } from './operation.ts';
import type { Ports } from './ports.ts';

/** After that an Application goes, whatever is left: one that cannot be deleted would keep its namespace for ever. */
const longestMs = 10 * 60_000;

/** Whether Kubernetes keeps an Application until its objects are deleted is settled long before somebody deletes it. */
export async function settleHold({ id, deletionPolicy, isHeld = false, deleting }: Application, { deletion, mayWrite }: Ports, signal: AbortSignal): Promise<void> {
  const wanted = deletionPolicy === 'Cascade';
  if (deletion === undefined || deleting || wanted === isHeld) return;
  mayWrite();
  await deletion.hold(id, { isHeld: wanted }, signal);
}

/** The operation that deletes an application's objects; null where nothing is to be deleted with it. */
export function deletionOf({ isHeld = false }: Application, { operation, commit }: AppStatus, ports: Pick<Ports, 'now' | 'newId'>): Operation | null {
  if (!isHeld) return null;
  const now = ports.now();
  if (operation?.type !== 'delete') return { id: ports.newId(), type: 'delete', revision: commit, startedAt: now.toISOString(), hooks: {}, state: 'running' };
  if (!isUnderWay(operation) || now.getTime() - Date.parse(operation.startedAt) < longestMs) return operation;
  return { ...operation, state: 'failed', message: `it was not over after ${longestMs / 60_000} minutes, and what is left stays: ${operation.message ?? ''}`, endedAt: now.toISOString() };
}

interface Ended {
  readonly application: Application;
  readonly operation: Operation | null;
}

/** All is deleted that can be: the Application may go. */
export async function letGo({ application: { id, isHeld = false, deleting }, operation }: Ended, { deletion, mayWrite }: Ports, signal: AbortSignal): Promise<void> {
  if (deletion === undefined || !deleting || !isHeld || operation?.type !== 'delete' || isUnderWay(operation)) return;
  mayWrite();
  await deletion.hold(id, { isHeld: false }, signal);
}

import { toSetpointError, type Application, type AppStatus, type Operation, type ResourceKey, type SyncRequest } from '../model/index.ts';
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

interface Circumstances extends Pick<Ports, 'now' | 'newId'> {
  /** Why its objects are left. */
  readonly orphaned: string | undefined;
  /** What somebody said since: it may confirm what is asked for. */
  readonly request: SyncRequest | undefined;
}

/** The operation that deletes an application's objects, or has ended without; null where Kubernetes does not wait for one. */
export function deletionOf({ isHeld = false }: Application, { operation, commit }: AppStatus, { orphaned, request, now: clock, newId }: Circumstances): Operation | null {
  if (!isHeld) return null;
  const now = clock();
  const begun: Operation = operation?.type === 'delete' ? operation : { id: newId(), type: 'delete', revision: commit, startedAt: now.toISOString(), hooks: {}, state: 'running' };
  if (!isUnderWay(begun)) return begun;
  const ended = (state: 'failed' | 'terminated', message: string): Operation => ({ ...begun, state, message, endedAt: now.toISOString() });
  if (orphaned !== undefined) return ended('terminated', `${orphaned}: what is left stays`);
  if (now.getTime() - Date.parse(begun.startedAt) >= longestMs) return ended('failed', `it was not over after ${longestMs / 60_000} minutes, and what is left stays: ${begun.message ?? ''}`);
  return request === undefined ? begun : { ...begun, request };
}

/** On record, so that its time passes: what keeps us from planning may never end. */
export function hindered(operation: Operation, error: unknown): Operation {
  return { ...operation, message: toSetpointError(error).message };
}

/** Nothing is deleted for an Application that cannot be read: nobody knows what it asks for. It must not stay for ever either. */
export async function letGoUnread(id: string, { deletion, mayWrite }: Pick<Ports, 'deletion' | 'mayWrite'>, signal: AbortSignal): Promise<void> {
  mayWrite();
  await deletion?.hold(id, { isHeld: false }, signal);
}

interface Ended {
  readonly application: Application;
  readonly operation: Operation | null;
  readonly status: Pick<AppStatus, 'inventory'>;
}

/** All is deleted that can be: the Application may go. What is left is told, for its status goes with it. */
export async function letGo({ application, operation, status }: Ended, { deletion, mayWrite, report }: Ports, signal: AbortSignal): Promise<void> {
  const { id, isHeld = false, deleting } = application;
  const why = operation?.message ?? '';
  if (deletion === undefined || !deleting || !isHeld || operation?.type !== 'delete' || isUnderWay(operation)) return;
  mayWrite();
  await deletion.hold(id, { isHeld: false }, signal);
  const left = Object.keys(status.inventory) as ResourceKey[];
  if (left.length > 0) report.left?.(application, { left, why });
}

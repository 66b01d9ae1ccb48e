import type { AppStatus, HeldStep, HoldCode, Operation, SyncRequest } from '../model/index.ts';
import { exitCode } from './exit-code.ts';

/** What has become of a request, as far as the status says. */
export type SyncStanding =
  | { readonly type: 'unanswered' }
  /** `approve`: what there is to say back for it to be done. */
  | { readonly type: 'refused'; readonly message: string; readonly approve?: string }
  | { readonly type: 'running'; readonly operation: Operation }
  | { readonly type: 'ended'; readonly operation: Operation }
  /** It was begun, and another one has taken its place on record. */
  | { readonly type: 'followed' };

type Record = Pick<AppStatus, 'operation' | 'answered' | 'held'>;

export function syncStanding({ operation, answered, held }: Record, request: string): SyncStanding {
  if (operation?.request?.id === request) return { type: isUnderWay(operation) ? 'running' : 'ended', operation };
  if (answered?.request !== request) return { type: 'unanswered' };
  if (answered.message === undefined) return { type: 'followed' };
  const approve = held.find(({ code, confirm }) => code === 'NeedsApproval' && confirm !== undefined)?.confirm;
  return { type: 'refused', message: answered.message, ...(approve !== undefined && { approve }) };
}

export function isUnderWay(operation: Operation | null): operation is Operation {
  return operation?.state === 'running' || operation?.state === 'failing';
}

/** Nothing that somebody could still wait for. Of a sync of some resources only those count. */
export function isWell({ health, unhealthy }: Pick<AppStatus, 'health' | 'unhealthy'>, { resources }: Pick<SyncRequest, 'resources'>): boolean {
  if (resources !== undefined) return unhealthy.every(({ key, status }) => status === 'Suspended' || !resources.includes(key));
  return health === null || health.status === 'Healthy' || health.status === 'Suspended';
}

/** Somebody wanted these to be left. */
const wanted: ReadonlySet<HoldCode> = new Set<HoldCode>(['NotSelected', 'PruneDisabled']);

/** What a sync should have done, and has not. */
export function leftUndone({ held }: Pick<AppStatus, 'held'>): readonly HeldStep[] {
  return held.filter(({ code }) => !wanted.has(code));
}

/** What was asked for is one commit, and what was done another. */
export function isElsewhere({ revision, request }: Operation): boolean {
  return request?.revision !== undefined && request.revision !== revision;
}

/** Of a request that need not be waited for any longer. */
export function exitCodeOfSync(standing: SyncStanding, status: Pick<AppStatus, 'held'>): number {
  switch (standing.type) {
    case 'unanswered':
      return exitCode.timeout;
    case 'refused':
      return exitCode.error;
    case 'running':
      return exitCode.done;
    case 'followed':
      return exitCode.partial;
    case 'ended':
      if (standing.operation.state !== 'succeeded' || isElsewhere(standing.operation)) return exitCode.error;
      return leftUndone(status).length > 0 ? exitCode.partial : exitCode.done;
  }
}

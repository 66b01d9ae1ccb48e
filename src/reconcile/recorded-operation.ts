import type { AppStatus, HeldStep, HistoryEntry, Operation, StepOutcome } from '../model/index.ts';
import type { PlannedLook } from './plan-look.ts';

interface Carried {
  readonly operation: Operation | null;
  readonly outcomes: readonly StepOutcome[];
  readonly planned: PlannedLook | undefined;
  /** Then nothing is held, and nobody had to plan to know it. */
  readonly isInSync: boolean;
  readonly now: Date;
}

const keptHistory = 10;
const listedHolds = 20;

/** What is on record of syncs after some of one was carried out. */
export function recordedOperation(before: AppStatus, { operation, outcomes, planned, isInSync, now }: Carried): Pick<AppStatus, 'operation' | 'history' | 'held'> {
  const count = (type: StepOutcome['type']): number => outcomes.filter((outcome) => outcome.type === type).length;
  const done = operation?.id === before.operation?.id ? before.operation?.done : undefined;
  const counted: Operation | null =
    operation === null || outcomes.length === 0
      ? operation && done !== undefined ? { ...operation, done } : operation
      : { ...operation, done: { applied: (done?.applied ?? 0) + count('applied'), pruned: (done?.pruned ?? 0) + count('pruned'), held: count('held'), failed: count('failed') } };
  const known = counted !== null && before.operation?.id === counted.id ? before.operation.endedAt : undefined;
  const hasEnded = counted?.endedAt !== undefined && known === undefined;
  return {
    // What this look saw differ was there when it ended.
    operation: counted?.endedAt === undefined ? counted : { ...counted, endedAt: known ?? now.toISOString() },
    history: hasEnded ? [entryOf(before, counted, now), ...before.history].slice(0, keptHistory) : before.history,
    held: planned === undefined ? (isInSync ? [] : before.held) : heldIn(planned),
  };
}

function heldIn({ plan }: PlannedLook): readonly HeldStep[] {
  return plan.steps.flatMap((step) => (step.type === 'hold' ? [{ key: step.key, code: step.code, why: step.why, ...(step.confirm !== undefined && { confirm: step.confirm }) }] : [])).slice(0, listedHolds);
}

function entryOf({ history, verdict }: AppStatus, { id, type, revision, startedAt, done, state }: Operation, now: Date): HistoryEntry {
  const cause = verdict?.status === 'OutOfSync' ? verdict.cause : type === 'heal' ? 'live-changed' : 'git-ahead';
  const { applied = 0, pruned = 0, held = 0, failed = 0 } = done ?? {};
  return { id: (history[0]?.id ?? 0) + 1, at: now.toISOString(), startedAt, type, operation: id, ...(isEnd(state) && { state }), revision, cause, applied, pruned, held, failed: state === 'failed' ? Math.max(1, failed) : failed };
}

function isEnd(state: Operation['state']): state is NonNullable<HistoryEntry['state']> {
  return state !== 'running' && state !== 'failing';
}

import type { Verdict } from './verdict.ts';

/** Who vouches for what was recorded, and until when that is worth something. */
export interface Vouching {
  /** When the agent that keeps the record was last seen alive; undefined where it never was. */
  readonly aliveAt: Date | undefined;
  readonly intervalMs: number;
  readonly now: Date;
}

/** After so many intervals without a sign, what was known is worth nothing. */
export const staleIntervals = 3;

/** What a reader may say: a verdict that nobody has vouched for in three intervals is worth nothing, whatever it was. */
export function shownVerdict(recorded: Verdict | null, { aliveAt, intervalMs, now }: Vouching): Verdict {
  if (recorded === null) return { status: 'Unknown', code: 'NotObserved', message: 'it has not been looked at yet' };
  if (aliveAt !== undefined && now.getTime() - aliveAt.getTime() <= staleIntervals * intervalMs) return recorded;
  const since = aliveAt === undefined ? 'no agent has been seen' : `no agent has been seen since ${aliveAt.toISOString()}`;
  return { status: 'Unknown', code: 'NotObserved', message: `${since}; before that it was ${recorded.status}` };
}

import type { LeaseRecord } from './lease-port.ts';

/** The lease as it was last read, and since when it has been like that by our own clock: clocks of others say nothing. */
export interface Observation {
  readonly record: LeaseRecord | undefined;
  readonly since: number;
  /** How long from then on it belongs to somebody. */
  readonly heldMs: number;
  /** The most that was seen: a lease that is made anew goes on from there. */
  readonly transitions: number;
}

interface Look {
  readonly record: LeaseRecord | undefined;
  /** When the answer was there, not when it was asked for: the holder may have renewed in between. */
  readonly at: number;
  readonly leaseMs: number;
}

export function observe(before: Observation | undefined, { record, at, leaseMs }: Look): Observation {
  // The version is another one also when somebody changes a label, which is no sign of life of the holder.
  if (before !== undefined && saysTheSame(before.record, record)) return { ...before, record };
  const transitions = Math.max(before?.transitions ?? 0, record?.transitions ?? 0);
  return { record, since: at, heldMs: heldMs(before, record, leaseMs), transitions };
}

export function freeAt({ since, heldMs: ms }: Observation): number {
  return since + ms;
}

function heldMs(before: Observation | undefined, record: LeaseRecord | undefined, leaseMs: number): number {
  // Who deletes a lease does not stop its holder, which may have renewed a moment ago.
  if (record === undefined) return before?.heldMs ?? 0;
  if (record.holder === '') return 0;
  // The holder goes by the time that it wrote; a record without one is given ours.
  return Math.max(leaseMs, record.durationSeconds * 1000);
}

function saysTheSame(one: LeaseRecord | undefined, other: LeaseRecord | undefined): boolean {
  return (
    one?.holder === other?.holder &&
    one?.transitions === other?.transitions &&
    one?.durationSeconds === other?.durationSeconds &&
    one?.renewTime === other?.renewTime &&
    one?.acquireTime === other?.acquireTime
  );
}

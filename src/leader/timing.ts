import { SetpointError } from '../model/index.ts';

/** In milliseconds. */
export interface Timing {
  /** How long others leave a lease alone after the last renewal that they saw. Whole seconds. */
  readonly leaseMs: number;
  /** How long a holder tries to renew before it gives up. */
  readonly renewMs: number;
  /** From the start of one attempt to the start of the next. */
  readonly retryMs: number;
}

export const defaultTiming: Timing = { leaseMs: 15_000, renewMs: 10_000, retryMs: 2_000 };

/** A write that was begun in the last moment has so long to arrive, and clocks may differ in rate by as much. */
export const marginMs = 2_000;

export function checkTiming({ leaseMs, renewMs, retryMs }: Timing): void {
  if (leaseMs % 1000 === 0 && leaseMs > renewMs && renewMs > retryMs && retryMs > 0 && leaseMs - marginMs > retryMs) return;
  throw new SetpointError(
    'Usage',
    `A lease of ${leaseMs} ms, renewed within ${renewMs} ms and tried every ${retryMs} ms, cannot be kept: wanted are whole seconds for the ` +
      `lease, each time longer than the next, and a lease more than ${marginMs} ms longer than the time between two tries.`,
  );
}

/** From when on a holder must not write. The renewal counts from before it was sent: when it arrived nobody knows. */
export function validUntil(renewedAt: number, { leaseMs }: Timing): number {
  return renewedAt + leaseMs - marginMs;
}

/** When a holder that has not renewed again gives up. `answeredAt`: when it knew of the renewal. */
export function lostAt(renewedAt: number, answeredAt: number, timing: Timing): number {
  const nextAttempt = Math.max(answeredAt, renewedAt + timing.retryMs);
  return Math.min(nextAttempt + timing.renewMs, validUntil(renewedAt, timing));
}

/** Of one request: a connection that hangs leaves time for another attempt. */
export function answerMs({ renewMs }: Timing): number {
  return renewMs / 2;
}

/** The next look of one who waits. `freeInMs`: until the lease may be taken, as far as is known; it is not slept through. */
export function nextLookMs(freeInMs: number, { retryMs }: Timing, random: () => number): number {
  const wait = freeInMs > 0 ? Math.min(freeInMs, retryMs) : retryMs;
  return Math.ceil(wait + (random() * retryMs) / 4);
}

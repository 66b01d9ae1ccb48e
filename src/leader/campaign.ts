import type { Candidate } from './candidate.ts';
import type { LeaseRecord, Written } from './lease-port.ts';
import { pause } from './timer.ts';
import { nextLookMs, validUntil } from './timing.ts';

export interface Win {
  readonly record: LeaseRecord;
  /** From when the lease counts: before it was asked for. */
  readonly renewedAt: number;
}

/** Waits for the lease and takes it; undefined when told to stop. */
export async function campaign(candidate: Candidate, signal: AbortSignal): Promise<Win | undefined> {
  const { sight, outage, timing, random, setTimer } = candidate;
  while (!signal.aborted) {
    try {
      const win = await attempt(candidate, signal);
      outage.isOver();
      if (win !== undefined && !signal.aborted) return win;
    } catch (error) {
      if (!signal.aborted) outage.goesOn(error);
    }
    await pause(setTimer, nextLookMs(sight.freeInMs(), timing, random), signal);
  }
  return undefined;
}

async function attempt({ lease, sight, identity, timing, now, stamp }: Candidate, signal: AbortSignal): Promise<Win | undefined> {
  const { record, transitions } = sight.saw(await lease.read(signal));
  if (sight.freeInMs() > 0) return undefined;
  const [epoch, at] = [transitions + 1, stamp()];
  const claim = { holder: identity, transitions: epoch, durationSeconds: timing.leaseMs / 1000, renewTime: at, acquireTime: at };
  sight.tried(epoch);
  const renewedAt = now();
  const written: Written = record === undefined ? await lease.create(claim, signal) : await lease.update({ ...claim, version: record.version }, signal);
  if (written.type === 'conflict') {
    // Who was quicker is known at once: should the lease be deleted before our next look, it would seem never to have been.
    sight.saw(await lease.read(signal));
    return undefined;
  }
  sight.saw(written.record);
  // An answer that took so long is about a lease that may have been taken since.
  return now() < validUntil(renewedAt, timing) ? { record: written.record, renewedAt } : undefined;
}

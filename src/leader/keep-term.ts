import { SetpointError } from '../model/index.ts';
import type { Candidate } from './candidate.ts';
import type { Term } from './term.ts';
import { pause } from './timer.ts';

/** Others may write to the lease for reasons of their own, a label for one. */
const conflictsInARow = 5;

/** Renews the lease for as long as the term goes on. */
export async function keepTerm(candidate: Candidate, term: Term): Promise<void> {
  const { outage, timing, now, setTimer } = candidate;
  let startedAt = now();
  while (!term.fence.aborted) {
    await pause(setTimer, startedAt + timing.retryMs - now(), term.fence);
    if (!term.isValid()) {
      term.end('expired');
      return;
    }
    startedAt = now();
    try {
      await renew(candidate, term);
      outage.isOver();
    } catch (error) {
      if (!term.fence.aborted) outage.goesOn(error);
    }
  }
}

async function renew({ lease, sight, timing, now, stamp }: Candidate, term: Term): Promise<void> {
  let { record } = term;
  for (let tries = 0; tries < conflictsInARow; tries += 1) {
    const renewedAt = now();
    const written = await lease.update({ ...record, durationSeconds: timing.leaseMs / 1000, renewTime: stamp() }, term.fence);
    if (written.type === 'written') {
      sight.saw(written.record);
      term.renewed(written.record, renewedAt);
      return;
    }
    // Perhaps it was ourselves: an earlier renewal that was carried out, and whose answer was lost.
    const found = sight.saw(await lease.read(term.fence)).record;
    if (found === undefined || !sight.isOwn(found)) {
      term.end(found === undefined ? 'deleted' : 'taken');
      return;
    }
    record = found;
  }
  throw new SetpointError('ObjectUnsettled', `the lease changed ${conflictsInARow} times while it was being renewed`);
}

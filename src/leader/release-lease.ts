import type { Candidate } from './candidate.ts';

const tries = 3;

/** Gives the lease back if it is ours, so that the next one need not wait. Never throws: a lease that is left runs out. */
export async function releaseLease({ lease, sight, stamp, log }: Candidate, signal: AbortSignal): Promise<void> {
  try {
    for (let count = 0; count < tries; count += 1) {
      const { record } = sight.saw(await lease.read(signal));
      if (record === undefined || !sight.isOwn(record)) return;
      // The server wants a duration of at least a second.
      const written = await lease.update({ ...record, holder: '', durationSeconds: 1, renewTime: stamp() }, signal);
      if (written.type === 'conflict') continue;
      sight.saw(written.record);
      log.info('lease released', { epoch: record.transitions });
      return;
    }
    log.warn('lease not released', { reason: `it changed ${tries} times meanwhile` });
  } catch (error) {
    log.warn('lease not released', { reason: error instanceof Error ? error.message : String(error) });
  }
}

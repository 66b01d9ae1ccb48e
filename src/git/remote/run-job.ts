import { SetpointError, toSetpointError } from '../../model/index.ts';
import { fetchCommit } from './fetch-commit.ts';
import { findReference } from './find-reference.ts';
import type { Failure, Fetched, Job, Reference } from './messages.ts';
import { meter, TooManyBytesError } from './meter.ts';
import type { Transports } from './transports.ts';

export interface JobSurroundings {
  readonly transports: Transports;
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
}

export type JobOutcome = { readonly type: 'done'; readonly result: Reference | Fetched } | { readonly type: 'failed'; readonly failure: Failure };

// A listing of one reference has a few hundred bytes; a server that knows no protocol 2 sends all that it has.
const maxListingBytes = 64 * 2 ** 20;

/** Never throws: errors cross to the other thread as plain data. */
export async function runJob(job: Job, { transports, signal, onProgress }: JobSurroundings): Promise<JobOutcome> {
  try {
    await using session = await transports.session(job.repository, signal);
    const { url, explain } = session;
    const metered = meter(session.http, { onProgress, maxBytes: job.type === 'fetch' ? job.maxBytes : maxListingBytes });
    try {
      const result = job.type === 'list' ? await findReference(job, { url, http: metered.http }) : await fetchCommit(job, { url, metered, onProgress });
      return { type: 'done', result };
    } catch (error) {
      // isomorphic-git wraps what a body throws, or loses it.
      throw metered.isExceeded() ? new TooManyBytesError() : (diskError(error, job) ?? explain(error));
    }
  } catch (error) {
    return { type: 'failed', failure: failureOf(error, signal) };
  }
}

function failureOf(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) return { type: 'cancelled' };
  if (error instanceof TooManyBytesError) return { type: 'too many bytes' };
  const { code, message } = toSetpointError(error);
  return { type: 'error', code, message };
}

// None of these comes from a connection.
const diskReasons: Readonly<Record<string, string | undefined>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file would become larger than allowed',
  EROFS: 'the disk is read-only',
  EIO: 'the disk has an error',
};

function diskError(error: unknown, job: Job): SetpointError | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  const reason = diskReasons[code];
  if (reason === undefined || job.type !== 'fetch') return undefined;
  return new SetpointError('Internal', `what ${job.repository.url} sent cannot be kept in ${job.gitDir}: ${reason} (${code})`);
}

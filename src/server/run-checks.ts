import { SetpointError } from '../model/index.ts';
import { within, type SetTimer } from './deadline.ts';

export interface Check {
  readonly name: string;
  /** Nothing where all is well, else what is wrong, in words. */
  check(signal: AbortSignal): string | undefined | Promise<string | undefined>;
}

export interface Complaint {
  readonly check: string;
  readonly reason: string;
}

const checkMs = 2_000;

/** All at once. One that throws or does not answer in time has failed. */
export async function runChecks(checks: readonly Check[], setTimer: SetTimer): Promise<readonly Complaint[]> {
  const complaints = await Promise.all(
    checks.map(async (check) => {
      const reason = await reasonOf(check, setTimer);
      return reason === undefined ? [] : [{ check: check.name, reason }];
    }),
  );
  return complaints.flat();
}

async function reasonOf(check: Check, setTimer: SetTimer): Promise<string | undefined> {
  try {
    const answer = await within((signal) => check.check(signal), { ms: checkMs, setTimer });
    return answer.type === 'late' ? `no answer within ${checkMs / 1000} s` : answer.value;
  } catch (error) {
    // The messages of other errors may hold anything.
    return error instanceof SetpointError ? error.message : 'the check failed';
  }
}

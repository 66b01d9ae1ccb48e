import type { Diff, ErrorCode, Finding, Verdict } from '../model/index.ts';

/** What a caller may rely on, for every verb. */
export const exitCode = {
  done: 0,
  /** Drift, and nothing else, ever. */
  drift: 1,
  error: 2,
  /** Something could not be compared: not knowing is not being in sync. */
  partial: 3,
  /** Something could not be compared, for want of rights only. */
  notAllowed: 4,
  timeout: 5,
  interrupted: 130,
} as const;

const unauthorised = new Set<ErrorCode>(['ClusterUnauthorized', 'Forbidden', 'RepositoryUnauthorized']);

export function exitCodeOfError(code: ErrorCode): number {
  return unauthorised.has(code) ? exitCode.notAllowed : exitCode.error;
}

export function exitCodeOfDiffs(diffs: readonly Diff[], findings: readonly Finding[]): number {
  const uncompared = diffs.filter(({ type }) => type === 'unknown' || type === 'invalid');
  if (findings.some(({ severity }) => severity === 'error')) return exitCode.partial;
  if (uncompared.length > 0) {
    const forbidden = uncompared.every((diff) => diff.type === 'unknown' && unauthorised.has(diff.code));
    return forbidden ? exitCode.notAllowed : exitCode.partial;
  }
  return diffs.some(({ type }) => type !== 'same') ? exitCode.drift : exitCode.done;
}

/** Of applications: drift outweighs what is not known, and nothing at all is nothing that is known to be in sync. */
export function exitCodeOfVerdicts(verdicts: readonly Verdict[]): number {
  if (verdicts.some(({ status }) => status === 'OutOfSync')) return exitCode.drift;
  return verdicts.length > 0 && verdicts.every(({ status }) => status === 'Synced') ? exitCode.done : exitCode.partial;
}

/** For a caller who asks not to be stopped by drift. What went wrong stays an error. */
export function toleratingDrift(code: number): number {
  return code === exitCode.drift ? exitCode.done : code;
}

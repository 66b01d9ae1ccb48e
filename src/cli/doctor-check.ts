import { toSetpointError, type ErrorCode } from '../model/index.ts';
import { exitCode } from './exit-code.ts';

/** One thing that was looked at. */
export interface Check {
  /** `warning`: it works without, but not all of it, or not for ever. */
  readonly level: 'fine' | 'warning' | 'failure';
  /** In one word. */
  readonly about: string;
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
  /** Rights or credentials are what is wanting. */
  readonly isDenial?: boolean;
}

export function fine(about: string, text: string): Check {
  return { level: 'fine', about, text };
}

export function warning(about: string, text: string, advice?: string): Check {
  return { level: 'warning', about, text, ...(advice === undefined ? {} : { advice }) };
}

export function failure(about: string, text: string, advice?: string): Check {
  return { level: 'failure', about, text, ...(advice === undefined ? {} : { advice }) };
}

const denials = new Set<ErrorCode>(['ClusterUnauthorized', 'Forbidden', 'RepositoryUnauthorized']);

/** A failure whose message is the error's, which says what to do already. */
export function failureOf(about: string, error: unknown): Check {
  const { code, message } = toSetpointError(error);
  return { ...failure(about, message), ...(denials.has(code) ? { isDenial: true } : {}) };
}

export function isDenied(error: unknown): boolean {
  return denials.has(toSetpointError(error).code);
}

/** What failed for want of rights alone is told apart: it is for somebody else to mend. */
export function exitCodeOfChecks(checks: readonly Check[]): number {
  const failures = checks.filter(({ level }) => level === 'failure');
  if (failures.length > 0) return failures.every(({ isDenial }) => isDenial === true) ? exitCode.notAllowed : exitCode.error;
  return checks.some(({ level }) => level === 'warning') ? exitCode.partial : exitCode.done;
}

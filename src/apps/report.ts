/** Told of everything that is odd in a document. Never of a value: it may be a password that someone forgot to quote. */
export interface Report {
  /** The application cannot be understood: `spec.interval: a duration is wanted, got a number`. */
  mistake(at: string, problem: string): void;
  /** It can, but not all of it has the effect that it seems to ask for: `spec.info is not supported`. */
  warning(at: string, why: string): void;
}

export interface CollectedReport extends Report {
  mistakes(): readonly string[];
  warnings(): readonly string[];
}

// What fits into a condition and is still read by people.
const most = 50;

export function collectReport(): CollectedReport {
  const mistakes: string[] = [];
  const warnings: string[] = [];
  return {
    mistake: (at, problem) => void mistakes.push(`${at}: ${problem}`),
    warning: (at, why) => void warnings.push(`${at} ${why}`),
    mistakes: () => bounded(mistakes),
    warnings: () => bounded(warnings),
  };
}

function bounded(messages: readonly string[]): readonly string[] {
  return messages.length <= most ? messages : [...messages.slice(0, most), `and ${messages.length - most} more`];
}

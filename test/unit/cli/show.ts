import picocolors from 'picocolors';
import { formatDiffs, type DiffFormat, type FormatOptions } from '../../../src/cli/format/index.ts';
import type { Diff, Finding } from '../../../src/model/index.ts';

interface ShowOptions extends Partial<FormatOptions> {
  readonly findings?: readonly Finding[];
}

/** Both streams of a format, without colours. */
export function show(format: DiffFormat, diffs: readonly Diff[], { findings = [], ...options }: ShowOptions = {}): { readonly data: string; readonly remarks: string } {
  const plain = { colors: picocolors.createColors(false), contextLines: 3, showIgnored: false, showManagers: false };
  return formatDiffs({ diffs, findings, context: 'c' }, format, { ...plain, ...options });
}

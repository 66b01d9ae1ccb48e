import { displayKey, type Diff } from '../../model/index.ts';
import type { Colors } from '../output.ts';
import { managersOf } from './attribution.ts';
import type { FormatOptions } from './format-options.ts';
import { printable } from './printable.ts';
import { isComparable, textDiff, type Comparable } from './text-diff.ts';

/** A text diff from live to Git, as `diff -u` prints it. */
export function unified(diffs: readonly Diff[], options: FormatOptions): string {
  return diffs.flatMap((diff) => (isComparable(diff) ? [block(diff, options)] : [])).join('');
}

function block(diff: Comparable, { colors, contextLines, showManagers }: FormatOptions): string {
  const name = printable(displayKey(diff.key));
  const lines = [
    ...(showManagers ? managers(diff).map((line) => colors.dim(line)) : []),
    colors.bold(`--- live ${name}`),
    colors.bold(`+++ git ${name}\t${printable(diff.origin)}`),
    ...textDiff(diff, contextLines).map((line) => paint(line, colors)),
  ];
  return `${lines.join('\n')}\n`;
}

/** Before the file names, where `patch` skips whatever it does not know. */
function managers(diff: Comparable): readonly string[] {
  if (diff.type !== 'changed') return [];
  return [
    ...(diff.adopted ? [] : ['# not applied by Setpoint yet']),
    ...diff.changes.flatMap((change) => managersOf(change).map((manager) => `# ${printable(change.display)}  ${manager}`)),
  ];
}

function paint(line: string, colors: Colors): string {
  if (line.startsWith('@@')) return colors.cyan(line);
  if (line.startsWith('-')) return colors.red(line);
  return line.startsWith('+') ? colors.green(line) : line;
}

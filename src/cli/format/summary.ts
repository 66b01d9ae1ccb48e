import { displayKey, type Diff } from '../../model/index.ts';
import type { Colors } from '../output.ts';
import type { Compared, FormatOptions } from './format-options.ts';
import { oneLine, printable } from './printable.ts';
import { statusWord } from './status-word.ts';

export function countTypes(diffs: readonly Diff[]): Record<Diff['type'], number> {
  const count = { same: 0, changed: 0, missing: 0, terminating: 0, invalid: 0, unknown: 0 };
  for (const { type } of diffs) count[type] += 1;
  return count;
}

/** What could not be compared, and why: one line each. */
export function trouble({ diffs, findings }: Compared, colors: Colors): string {
  const lines = [
    ...diffs.flatMap((diff) =>
      diff.type === 'unknown' || diff.type === 'invalid'
        ? [`${colors.yellow(diff.type === 'unknown' ? '?' : '!')} ${printable(displayKey(diff.key))}  ${oneLine(diff.message)}  ${colors.dim(printable(diff.origin))}`]
        : [],
    ),
    ...findings.map(({ severity, origin, message }) => `${colors.yellow('!')} ${printable(origin)}  ${severity}: ${oneLine(message)}`),
  ];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

/** Likewise, for formats that have no place for what is being deleted either. */
export function troubleAndEndings(compared: Compared, colors: Colors): string {
  const ending = compared.diffs.flatMap((diff) => (diff.type === 'terminating' ? [`${colors.yellow('x')} ${printable(displayKey(diff.key))}  ${oneLine(diff.message)}\n`] : []));
  return ending.join('') + trouble(compared, colors);
}

const order = ['changed', 'missing', 'terminating', 'invalid', 'unknown', 'same'] as const satisfies readonly Diff['type'][];

/** `2 changed, 1 unreadable, 11 in sync` */
export function counts({ diffs, findings }: Pick<Compared, 'diffs' | 'findings'>, colors: Colors): string {
  const paint = { changed: colors.yellow, missing: colors.yellow, terminating: colors.yellow, invalid: colors.red, unknown: colors.red, same: colors.green };
  const count = countTypes(diffs);
  const parts = order.flatMap((type) => (count[type] === 0 ? [] : [paint[type](`${count[type]} ${statusWord[type]}`)]));
  const unread = findings.filter(({ severity }) => severity === 'error').length;
  if (unread > 0) parts.splice(count.same === 0 ? parts.length : -1, 0, colors.red(`${unread} unreadable`));
  return parts.join(', ') || 'nothing to compare';
}

export function summary(compared: Compared, { colors, showIgnored }: Pick<FormatOptions, 'colors' | 'showIgnored'>): string {
  const { foreign, ignored, sideEffects } = countRemarks(compared.diffs);
  const aside = [
    ...(ignored === 0 ? [] : [`${plural(ignored, 'field')} ignored`]),
    ...(sideEffects === 0 ? [] : [plural(sideEffects, 'side effect')]),
  ].join(', ');
  const parts = [
    counts(compared, colors),
    ...(foreign === 0 ? [] : [colors.cyan(countByHand(foreign))]),
    ...(aside === '' ? [] : [colors.dim(showIgnored ? aside : `${aside} (--show-ignored)`)]),
  ];
  const legend = `(context ${printable(compared.context)}; - live, + Git${foreign === 0 ? '' : ', * only live'})`;
  return `${parts.join('; ')}  ${colors.dim(legend)}\n`;
}

function countRemarks(diffs: readonly Diff[]): Record<'foreign' | 'ignored' | 'sideEffects', number> {
  const count = { foreign: 0, ignored: 0, sideEffects: 0 };
  for (const diff of diffs) {
    if (!('foreign' in diff)) continue;
    count.foreign += diff.foreign.length;
    count.ignored += diff.ignored.length;
    count.sideEffects += diff.sideEffects.length;
  }
  return count;
}

export function countByHand(fields: number): string {
  return `${plural(fields, 'field')} added by hand`;
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

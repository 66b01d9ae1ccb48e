import { displayKey, type Diff, type FieldChange } from '../../model/index.ts';
import { managersOf, nameOwner, timeText } from './attribution.ts';
import type { FormatOptions } from './format-options.ts';
import { printable } from './printable.ts';
import { statusWord } from './status-word.ts';

type Row = readonly string[];

const titles: Row = ['RESOURCE', 'STATUS', 'FIELDS', 'BY', 'WHEN'];

// Paths beyond this many say nothing that the count does not.
const listedFields = 3;

/** One line per resource, in columns; no line is ever wrapped. */
export function table(diffs: readonly Diff[], { colors, showManagers, width }: FormatOptions): string {
  const header = showManagers ? [...titles, 'APPLIED'] : titles;
  const rows = diffs.map((diff) => rowOf(diff, showManagers));
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => lengthOf(row[column] ?? ''))));
  const fitted = width === undefined ? widths : fit(widths, width);
  const line = (row: Row): string => row.map((cell, column) => pad(cell, fitted[column] ?? 0)).join(gap);
  const cut = (text: string): string => (width === undefined ? text : clip(text, width)).trimEnd();
  const paint = (diff: Diff | undefined, text: string): string => (diff === undefined || diff.type === 'same' ? text : colors.yellow(text));
  return `${[colors.bold(cut(line(header))), ...rows.map((row, at) => paint(diffs[at], cut(line(row))))].join('\n')}\n`;
}

function rowOf(diff: Diff, showManagers: boolean): Row {
  const changes = diff.type === 'changed' ? diff.changes : [];
  const who = showManagers ? changes.flatMap(managersOf) : changes.flatMap(namesOf);
  return [
    printable(displayKey(diff.key)),
    statusWord[diff.type],
    fieldsOf(changes),
    [...new Set(who)].join('; ') || '-',
    latest(changes),
    ...(showManagers ? ['adopted' in diff ? (diff.adopted ? 'yes' : 'not yet') : '-'] : []),
  ];
}

function fieldsOf(changes: readonly FieldChange[]): string {
  if (changes.length === 0) return '-';
  const first = changes.slice(0, listedFields).map(({ display }) => printable(display));
  return `${changes.length}: ${first.join(', ')}${changes.length > listedFields ? ', …' : ''}`;
}

function namesOf({ owners, seen }: FieldChange): readonly string[] {
  if (seen !== undefined) return seen.writers.length === 0 ? ['nobody on record'] : seen.writers.map(nameOwner);
  return owners.map(nameOwner);
}

/** The last change that was seen, or else the time at or before which the last owner wrote. */
function latest(changes: readonly FieldChange[]): string {
  const seen = changes.flatMap((change) => change.seen ?? []).toSorted((a, b) => (a.seenAt < b.seenAt ? 1 : -1))[0];
  if (seen !== undefined) return seen.notBefore === undefined ? timeText(seen.seenAt) : `${timeText(seen.notBefore)} to ${timeText(seen.seenAt)}`;
  const written = changes.flatMap(({ owners }) => owners.flatMap(({ time }) => time ?? [])).toSorted().at(-1);
  return written === undefined ? '-' : `at or before ${timeText(written)}`;
}

const gap = '  ';
const narrowest = 12;

/** The paths give way first, for their count is in front of them; then the names of those who wrote. */
function fit(widths: readonly number[], width: number): readonly number[] {
  const fitted = [...widths];
  for (const column of ['FIELDS', 'BY'].map((title) => titles.indexOf(title))) {
    const tooWide = fitted.reduce((sum, each) => sum + each + gap.length, -gap.length) - width;
    const own = fitted[column] ?? 0;
    if (tooWide > 0) fitted[column] = Math.max(Math.min(own, narrowest), own - tooWide);
  }
  return fitted;
}

function pad(text: string, width: number): string {
  const clipped = clip(text, width);
  return clipped + ' '.repeat(width - lengthOf(clipped));
}

function clip(text: string, width: number): string {
  return lengthOf(text) <= width ? text : `${Array.from(text).slice(0, Math.max(0, width - 1)).join('')}…`;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

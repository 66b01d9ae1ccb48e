import picocolors from 'picocolors';
import { displayKey, type Diff, type FieldChange, type ForeignField } from '../../model/index.ts';
import { standingOf, whoAndWhen } from './attribution.ts';
import type { Compared, FormatOptions } from './format-options.ts';
import { code, codeOfMessage, fenced, tableOf } from './html.ts';
import { notesOf } from './notes.ts';
import { statusWord } from './status-word.ts';
import { countByHand, counts, plural } from './summary.ts';
import { isComparable, textDiff } from './text-diff.ts';

// GitHub refuses a comment of more than 65,536 characters; the rest is for what a script puts around it.
const longest = 60_000;
const longestDiff = 15_000;
const longestTable = 50;
const roomForTheRest = 200;

const plain = picocolors.createColors(false);

/** A comment on a pull request: a headline, and what differs folded up under it. */
export function markdown(compared: Compared, { contextLines }: FormatOptions): string {
  const { diffs, findings, context } = compared;
  const head = `### Setpoint: ${headline(diffs)}\n\n<p>${counts(compared, plain)} (context ${code(context)})</p>\n`;
  const blocks = [
    ...diffs.flatMap((diff) => block(diff, contextLines)),
    ...findings.map(({ severity, origin, message }) => `<p>${severity} in ${code(origin)}: ${codeOfMessage(message)}</p>\n`),
  ];
  let text = head;
  let left = 0;
  for (const next of blocks) {
    if (text.length + next.length + 1 > longest - roomForTheRest) left += 1;
    else text += `\n${next}`;
  }
  return left === 0 ? text : `${text}\n<p>… and ${left} more, left out because a comment has no room for them.</p>\n`;
}

function headline(diffs: readonly Diff[]): string {
  const differing = diffs.filter(({ type }) => type !== 'same' && type !== 'invalid' && type !== 'unknown').length;
  const uncompared = diffs.filter(({ type }) => type === 'invalid' || type === 'unknown').length;
  const parts = [
    ...(differing > 0 ? [`${differing} of ${plural(diffs.length, 'resource')} ${differing === 1 ? 'differs' : 'differ'}`] : []),
    ...(uncompared > 0 ? [`${uncompared} could not be compared`] : []),
  ];
  return parts.join(', ') || `${plural(diffs.length, 'resource')} in sync`;
}

function block(diff: Diff, contextLines: number): readonly string[] {
  const parts = [...said(diff), ...(isComparable(diff) ? [diffBlock(textDiff(diff, contextLines))] : []), ...fieldTable(diff)];
  if (diff.type === 'same' && parts.length === 0) return [];
  const summary = `<summary>${code(displayKey(diff.key))} ${titleOf(diff)}</summary>`;
  return [`<details>${summary}\n\n${[...parts, `<p>from ${code(diff.origin)}</p>`].join('\n\n')}\n\n</details>\n`];
}

function titleOf(diff: Diff): string {
  const foreign = 'foreign' in diff && diff.foreign.length > 0 ? `, ${countByHand(diff.foreign.length)}` : '';
  if (diff.type === 'changed') return `${plural(diff.changes.length, 'field')} changed${foreign}`;
  return `${diff.type === 'missing' ? 'is not in the cluster' : statusWord[diff.type]}${foreign}`;
}

function said(diff: Diff): readonly string[] {
  return [
    ...('message' in diff ? [`<p>${codeOfMessage(diff.message)}</p>`] : []),
    ...(diff.type === 'missing' && diff.waitsFor !== undefined ? [`<p>waits for ${codeOfMessage(diff.waitsFor)}</p>`] : []),
    ...notesOf(diff).map(({ text }) => `<p>${codeOfMessage(text)}</p>`),
  ];
}

function diffBlock(lines: readonly string[]): string {
  const shown: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += Math.min(line.length, 600) + 1;
    if (length > longestDiff) break;
    shown.push(line);
  }
  const left = lines.length - shown.length;
  return fenced('diff', left === 0 ? shown : [...shown, `… and ${plural(left, 'more line')}`]);
}

function fieldTable(diff: Diff): readonly string[] {
  const fields: readonly (FieldChange | ForeignField)[] = [...(diff.type === 'changed' ? diff.changes : []), ...('foreign' in diff ? diff.foreign : [])];
  if (fields.length === 0) return [];
  const foreign = new Set<object>('foreign' in diff ? diff.foreign : []);
  const rows = fields.slice(0, longestTable).map((field) => [code(field.display), code(whoAndWhen(field)), remark(field, foreign.has(field))]);
  const left = fields.length - rows.length;
  return [tableOf(['field', 'by whom, when', ''], rows), ...(left === 0 ? [] : [`<p>… and ${plural(left, 'more field')}</p>`])];
}

function remark(field: FieldChange | ForeignField, isForeign: boolean): string {
  if (isForeign) return 'added by hand, not in Git';
  const standing = standingOf(field);
  return standing === undefined ? '' : codeOfMessage(standing);
}

import { displayKey, type Diff, type Remarks } from '../../model/index.ts';
import type { FormatOptions } from './format-options.ts';
import { notesOf } from './notes.ts';
import { oneLine, printable } from './printable.ts';
import { treeOfAside, treeOfChange, treeOfForeign } from './tree-field.ts';

/** Each differing resource with its differing fields: `-` is live, `+` is Git. */
export function tree(diffs: readonly Diff[], options: FormatOptions): string {
  return diffs.map((diff) => block(diff, options)).join('');
}

function block(diff: Diff, options: FormatOptions): string {
  const { colors } = options;
  const head = (sign: string, text = ''): string =>
    `${sign} ${colors.bold(printable(displayKey(diff.key)))}  ${text === '' ? '' : `${text}  `}${colors.dim(printable(diff.origin))}\n`;
  switch (diff.type) {
    case 'missing': {
      const waits = diff.waitsFor === undefined ? '' : `; waits for ${oneLine(diff.waitsFor)}`;
      return `${head(colors.red('-'), `is not in the cluster${waits}`)}\n`;
    }
    case 'terminating':
      return `${head(colors.yellow('x'), oneLine(diff.message))}\n`;
    case 'changed':
      return `${head(colors.yellow('~'))}${adoption(diff, options)}${notes(diff, options)}${fields(diff, options)}\n`;
    case 'same': {
      const body = notes(diff, options) + fields(diff, options);
      if (body === '') return '';
      const title = diff.foreign.length > 0 ? head(colors.cyan('*'), 'in sync, with fields added by hand') : head(colors.dim('='), 'in sync');
      return `${title}${adoption(diff, options)}${body}\n`;
    }
    case 'invalid':
    case 'unknown':
      return '';
  }
}

type Live = Extract<Diff, Remarks>;

function adoption({ adopted }: Live, { colors, showManagers }: FormatOptions): string {
  return showManagers && !adopted ? `    ${colors.dim('@ not applied by Setpoint yet')}\n` : '';
}

function notes(diff: Live, { colors }: FormatOptions): string {
  return notesOf(diff)
    .map(({ sign, text }) => `    ${colors.yellow(`${sign} ${text}`)}\n`)
    .join('');
}

function fields(diff: Live, options: FormatOptions): string {
  const changes = diff.type === 'changed' ? diff.changes : [];
  return [
    ...changes.map((change) => treeOfChange(change, options)),
    ...diff.foreign.map((field) => treeOfForeign(field, options)),
    ...(options.showIgnored ? [...diff.ignored, ...diff.sideEffects].map((aside) => treeOfAside(aside, options)) : []),
  ].join('');
}

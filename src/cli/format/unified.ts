import { createTwoFilesPatch } from 'diff';
import { displayKey, type Diff } from '../../model/index.ts';
import type { Colors } from '../output.ts';
import { yamlText } from './yaml-text.ts';

/** A text diff from live to Git, as `diff -u` prints it. */
export function unified(diffs: readonly Diff[], colors: Colors): string {
  return diffs.flatMap((diff) => hunk(diff, colors)).join('');
}

function hunk(diff: Diff, colors: Colors): readonly string[] {
  if (diff.type !== 'changed' && diff.type !== 'missing') return [];
  const before = diff.type === 'changed' ? yamlText(diff.before) : '';
  const name = displayKey(diff.key);
  const patch = createTwoFilesPatch(`live ${name}`, `git ${name}`, before, yamlText(diff.after), undefined, diff.origin, { context: 3 });
  const lines = patch.split('\n').filter((line) => !line.startsWith('====='));
  return [lines.map((line) => paint(line, colors)).join('\n')];
}

function paint(line: string, colors: Colors): string {
  if (/^(?:---|\+\+\+)/.test(line)) return colors.bold(line);
  if (line.startsWith('@@')) return colors.cyan(line);
  if (line.startsWith('-')) return colors.red(line);
  return line.startsWith('+') ? colors.green(line) : line;
}

import { createTwoFilesPatch } from 'diff';
import { stringify } from 'yaml';
import { displayKey, type Diff, type KubeObject } from '../../model/index.ts';
import type { Colors } from '../output.ts';

/** A text diff from live to Git, as `diff -u` prints it. */
export function unified(diffs: readonly Diff[], colors: Colors): string {
  return diffs.flatMap((diff) => hunk(diff, colors)).join('');
}

function hunk(diff: Diff, colors: Colors): readonly string[] {
  if (diff.type !== 'changed' && diff.type !== 'missing') return [];
  const before = diff.type === 'changed' ? yamlOf(diff.before) : '';
  const name = displayKey(diff.key);
  const patch = createTwoFilesPatch(`live ${name}`, `git ${name}`, before, yamlOf(diff.after), undefined, diff.origin, { context: 3 });
  const lines = patch.split('\n').filter((line) => !line.startsWith('====='));
  return [lines.map((line) => paint(line, colors)).join('\n')];
}

function yamlOf(object: KubeObject): string {
  // 1.1 quotes what kubectl would read as something else: yes, on, 010.
  return stringify(object, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}

function paint(line: string, colors: Colors): string {
  if (/^(?:---|\+\+\+)/.test(line)) return colors.bold(line);
  if (line.startsWith('@@')) return colors.cyan(line);
  if (line.startsWith('-')) return colors.red(line);
  return line.startsWith('+') ? colors.green(line) : line;
}

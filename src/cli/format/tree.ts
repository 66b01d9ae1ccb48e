import { displayKey, type Diff, type FieldChange, type FieldOwner, type ForeignField, type Json } from '../../model/index.ts';
import type { Colors } from '../output.ts';
import { yamlText } from './yaml-text.ts';

/** Each differing resource with its differing fields: `-` is live, `+` is Git. */
export function tree(diffs: readonly Diff[], colors: Colors): string {
  return diffs.map((diff) => block(diff, colors)).join('');
}

function block(diff: Diff, colors: Colors): string {
  const { key, origin, type } = diff;
  const head = (sign: string, text: string): string => `${sign} ${colors.bold(displayKey(key))}  ${text}${colors.dim(origin)}\n`;
  if (type === 'missing') return `${head(colors.red('-'), 'is not in the cluster  ')}\n`;
  if (type !== 'changed' && type !== 'same') return '';
  const changes = type === 'changed' ? diff.changes.map((change) => treeOfChange(change, colors)).join('') : '';
  const foreign = diff.foreign.map((field) => treeOfForeign(field, colors)).join('');
  if (changes === '' && foreign === '') return '';
  return `${changes === '' ? head(colors.cyan('*'), 'in sync, with fields added by hand  ') : head(colors.yellow('~'), '')}${changes}${foreign}\n`;
}

/** Not a difference: an apply leaves it. Shown because nothing else shows it. */
export function treeOfForeign({ display, live, owners }: ForeignField, colors: Colors): string {
  return `    ${display}  ${colors.dim(owners.map(describeOwner).join('; '))}\n${colors.cyan(indent('* ', live))}\n`;
}

export function treeOfChange({ display, live, desired, owners }: FieldChange, colors: Colors): string {
  const lines = [`    ${display}${owners.length === 0 ? '' : `  ${colors.dim(owners.map(describeOwner).join('; '))}`}`];
  if (live !== undefined) lines.push(colors.red(indent('- ', live)));
  if (desired !== undefined) lines.push(colors.green(indent('+ ', desired)));
  return `${lines.join('\n')}\n`;
}

function describeOwner({ manager, subresource, time }: FieldOwner): string {
  const how = subresource === undefined ? '' : ` (${subresource})`;
  return `by ${manager}${how}, ${time === undefined ? 'time not recorded' : `at or before ${time}`}`;
}

function indent(sign: string, value: Json): string {
  return yamlText(value)
    .trimEnd()
    .split('\n')
    .map((line) => `      ${sign}${line}`)
    .join('\n');
}

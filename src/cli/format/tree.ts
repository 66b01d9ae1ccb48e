import { displayKey, stringifyJson, type Diff, type FieldChange, type FieldOwner, type Json } from '../../model/index.ts';
import type { Colors } from '../output.ts';

/** Each differing resource with its differing fields: `-` is live, `+` is Git. */
export function tree(diffs: readonly Diff[], colors: Colors): string {
  return diffs.map((diff) => block(diff, colors)).join('');
}

function block(diff: Diff, colors: Colors): string {
  const { key, origin, type } = diff;
  if (type === 'missing') return `${colors.red('-')} ${colors.bold(displayKey(key))}  is not in the cluster  ${colors.dim(origin)}\n\n`;
  if (type !== 'changed') return '';
  const fields = diff.changes.map((change) => treeOfChange(change, colors)).join('');
  return `${colors.yellow('~')} ${colors.bold(displayKey(key))}  ${colors.dim(origin)}\n${fields}\n`;
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
  const text = typeof value === 'string' ? value : stringifyJson(value, 2);
  return (text === '' ? '""' : text)
    .split('\n')
    .map((line) => `      ${sign}${line}`)
    .join('\n');
}

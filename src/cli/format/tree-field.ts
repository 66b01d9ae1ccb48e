import type { FieldChange, ForeignField, Json, SideEffect } from '../../model/index.ts';
import type { Colors } from '../output.ts';
import { managersOf, standingOf, whoAndWhen } from './attribution.ts';
import { printable } from './printable.ts';
import { yamlText } from './yaml-text.ts';

interface FieldOptions {
  readonly colors: Colors;
  readonly showManagers?: boolean;
}

export function treeOfChange(change: FieldChange, { colors, showManagers }: FieldOptions): string {
  const standing = standingOf(change);
  return lines([
    head(change.display, whoAndWhen(change), colors),
    ...(showManagers === true ? managers(change, colors) : []),
    ...(standing === undefined ? [] : [`      ${colors.yellow(`! ${standing}`)}`]),
    ...values(change, colors),
  ]);
}

/** Not a difference: an apply leaves it. Shown because nothing else shows it. */
export function treeOfForeign(field: ForeignField, { colors, showManagers }: FieldOptions): string {
  return lines([
    head(field.display, whoAndWhen(field), colors),
    ...(showManagers === true ? managers(field, colors) : []),
    colors.cyan(indent('* ', field.live)),
  ]);
}

/** A difference that counts for nothing, and why. */
export function treeOfAside(change: FieldChange | SideEffect, { colors }: FieldOptions): string {
  const [mark, note] = 'why' in change ? [`· ${change.why}`, ''] : ['~ ignored', `  ${whoAndWhen(change)}`];
  return lines([`    ${colors.dim(`${mark}  ${printable(change.display)}${note}`)}`, ...values(change, colors)]);
}

function head(display: string, note: string, colors: Colors): string {
  return `    ${printable(display)}  ${colors.dim(note)}`;
}

function managers(field: FieldChange | ForeignField, colors: Colors): readonly string[] {
  return managersOf(field).map((manager) => `      ${colors.dim(`@ ${manager}`)}`);
}

function values({ live, desired }: FieldChange, colors: Colors): readonly string[] {
  return [
    ...(live === undefined ? [] : [colors.red(indent('- ', live))]),
    ...(desired === undefined ? [] : [colors.green(indent('+ ', desired))]),
  ];
}

function indent(sign: string, value: Json): string {
  return yamlText(value)
    .trimEnd()
    .split('\n')
    .map((line) => `      ${sign}${line}`)
    .join('\n');
}

function lines(parts: readonly string[]): string {
  return `${parts.join('\n')}\n`;
}

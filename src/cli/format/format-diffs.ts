import { stringifyJson, type Diff, type Json } from '../../model/index.ts';
import type { Compared, DiffFormat, FormatOptions } from './format-options.ts';
import { markdown } from './markdown.ts';
import { escapeQuoted, printable } from './printable.ts';
import { patches, report } from './report.ts';
import { summary, trouble, troubleAndEndings } from './summary.ts';
import { table } from './table.ts';
import { tree } from './tree.ts';
import { unified } from './unified.ts';
import { yamlText } from './yaml-text.ts';

interface Formatted {
  /** For stdout. */
  readonly data: string;
  /** For stderr: what the format has no place for. */
  readonly remarks: string;
}

type Format = (compared: Compared, options: FormatOptions) => Formatted;

const whole = (format: (compared: Compared, options: FormatOptions) => string): Format => {
  return (compared, options) => ({ data: format(compared, options), remarks: '' });
};
const withTrouble = (format: (diffs: readonly Diff[], options: FormatOptions) => string): Format => {
  return (compared, options) => ({ data: format(compared.diffs, options), remarks: trouble(compared, options.colors) });
};

const withEndings = (format: (diffs: readonly Diff[], options: FormatOptions) => string): Format => {
  return (compared, options) => ({ data: format(compared.diffs, options), remarks: troubleAndEndings(compared, options.colors) });
};

const formats: Readonly<Record<DiffFormat, Format>> = {
  tree: whole((compared, options) => tree(compared.diffs, options) + trouble(compared, options.colors) + summary(compared, options)),
  unified: withEndings(unified),
  table: withTrouble(table),
  json: whole((compared) => jsonText(report(compared))),
  yaml: whole((compared) => yamlText(report(compared))),
  jsonpatch: withEndings((diffs) => jsonText(patches(diffs))),
  markdown: whole(markdown),
  name: withTrouble(names),
};

export function formatDiffs(compared: Compared, format: DiffFormat, options: FormatOptions): Formatted {
  return formats[format](compared, options);
}

function jsonText(value: Json): string {
  return `${escapeQuoted(stringifyJson(value, 2))}\n`;
}

const differing = new Set<Diff['type']>(['changed', 'missing', 'terminating']);

function names(diffs: readonly Diff[]): string {
  return diffs.flatMap(({ type, key }) => (differing.has(type) ? [`${printable(key)}\n`] : [])).join('');
}

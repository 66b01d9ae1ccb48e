import { stringifyJson, type Diff, type Finding, type Json } from '../../model/index.ts';
import type { Colors } from '../output.ts';
import { report } from './report.ts';
import { summary, trouble } from './summary.ts';
import { tree } from './tree.ts';
import { unified } from './unified.ts';

export type DiffFormat = 'tree' | 'unified' | 'json' | 'jsonpatch' | 'name';

export interface Compared {
  readonly diffs: readonly Diff[];
  readonly findings: readonly Finding[];
  readonly context: string;
}

interface Formatted {
  /** For stdout. */
  readonly data: string;
  /** For stderr: what a format made for machines has no place for. */
  readonly remarks: string;
}

const formats: Readonly<Record<DiffFormat, (compared: Compared, colors: Colors) => Formatted>> = {
  tree: (compared, colors) => ({ data: tree(compared.diffs, colors) + trouble(compared, colors) + summary(compared, colors), remarks: '' }),
  unified: (compared, colors) => ({ data: unified(compared.diffs, colors), remarks: trouble(compared, colors) }),
  json: (compared) => ({ data: asJson(report(compared)), remarks: '' }),
  jsonpatch: (compared, colors) => ({ data: asJson(patches(compared.diffs)), remarks: trouble(compared, colors) }),
  name: (compared, colors) => ({ data: names(compared.diffs), remarks: trouble(compared, colors) }),
};

export function formatDiffs(compared: Compared, format: DiffFormat, colors: Colors): Formatted {
  return formats[format](compared, colors);
}

function asJson(value: Json): string {
  return `${stringifyJson(value, 2)}\n`;
}

function patches(diffs: readonly Diff[]): Json {
  return diffs.flatMap((diff) => ('patch' in diff ? [{ resource: diff.key, patch: diff.patch }] : []));
}

function names(diffs: readonly Diff[]): string {
  return diffs.flatMap((diff) => ('patch' in diff ? [`${diff.key}\n`] : [])).join('');
}

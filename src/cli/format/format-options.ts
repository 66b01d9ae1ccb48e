import type { Diff, Finding } from '../../model/index.ts';
import type { Colors } from '../output.ts';

export const diffFormats = ['tree', 'unified', 'table', 'json', 'yaml', 'jsonpatch', 'markdown', 'name'] as const;

export type DiffFormat = (typeof diffFormats)[number];

/** All that one comparison gave. */
export interface Compared {
  readonly diffs: readonly Diff[];
  readonly findings: readonly Finding[];
  readonly context: string;
}

export interface FormatOptions {
  readonly colors: Colors;
  /** Unchanged lines around a change, where the format is a text diff. */
  readonly contextLines: number;
  readonly showIgnored: boolean;
  readonly showManagers: boolean;
  /** Columns of the terminal; absent where the output goes elsewhere, and nothing is cut. */
  readonly width?: number;
}

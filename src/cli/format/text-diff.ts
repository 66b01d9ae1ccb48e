import { structuredPatch } from 'diff';
import type { Diff } from '../../model/index.ts';
import { yamlText } from './yaml-text.ts';

/** A resource of which there are two texts to compare. */
export type Comparable = Extract<Diff, { readonly after: unknown }>;

export function isComparable(diff: Diff): diff is Comparable {
  return 'after' in diff;
}

/** Both sides as YAML; the live one is empty where there is no object. */
export function sidesOf(diff: Comparable): { readonly live: string; readonly git: string } {
  return { live: diff.type === 'changed' ? yamlText(diff.before) : '', git: yamlText(diff.after) };
}

// Where more lines than this differ the search for the shortest diff takes seconds, and no one reads the result.
const longest = 1000;

/** The hunks of a text diff from live to Git, line by line and without file headers. */
export function textDiff(diff: Comparable, contextLines: number): readonly string[] {
  const { live, git } = sidesOf(diff);
  const patch = structuredPatch('', '', live, git, undefined, undefined, { context: contextLines, maxEditLength: longest });
  if (patch === undefined) return replaced(live, git);
  return patch.hunks.flatMap((hunk) => [
    `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
    ...hunk.lines,
  ]);
}

function replaced(live: string, git: string): readonly string[] {
  const before = linesOf(live);
  const after = linesOf(git);
  return [
    `@@ -${range(1, before.length)} +${range(1, after.length)} @@`,
    ...before.map((line) => `-${line}`),
    ...after.map((line) => `+${line}`),
  ];
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').slice(0, -1);
}

/** An empty range is named by the line before it. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

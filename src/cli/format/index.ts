// Diffs in → the text that a person or a script reads out. Pure.
export { formatDiffs, type DiffFormat } from './format-diffs.ts';
export { treeOfChange } from './tree.ts';

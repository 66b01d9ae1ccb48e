// Diffs in → the text that a person or a script reads out. Pure.
export { formatDiffs, type DiffFormat } from './format-diffs.ts';
export { countByHand } from './summary.ts';
export { treeOfChange, treeOfForeign } from './tree.ts';

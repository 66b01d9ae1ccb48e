// Diffs in → the text that a person or a script reads out. Pure.
export { formatDiffs } from './format-diffs.ts';
export type { Compared, DiffFormat, FormatOptions } from './format-options.ts';
export { oneLine, printable } from './printable.ts';
export { countByHand, summary, trouble, troubleAndEndings } from './summary.ts';
export { isComparable, sidesOf } from './text-diff.ts';
export { tree } from './tree.ts';
export { treeOfChange, treeOfForeign } from './tree-field.ts';
export { yamlText } from './yaml-text.ts';

/** A cell of a table, and how it is painted once it has its width. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

const gap = '  ';

/** Rows of equally many cells in columns, a line each; with a width, no line is longer. */
export function inColumns(rows: readonly (readonly Cell[])[], width = Number.POSITIVE_INFINITY): string {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => lengthOf(row[column]?.text ?? ''))));
  const line = (row: readonly Cell[]): string => {
    let left = width;
    const cells = row.map(({ text, paint = same }, column) => {
      const isLast = column === row.length - 1;
      const fitted = clip(isLast ? text : text.padEnd(text.length + (widths[column] ?? 0) - lengthOf(text)) + gap, left);
      left -= lengthOf(fitted);
      return paint(fitted);
    });
    return `${cells.join('').trimEnd()}\n`;
  };
  return rows.map(line).join('');
}

function same(text: string): string {
  return text;
}

function clip(text: string, width: number): string {
  const signs = Array.from(text);
  if (signs.length <= width) return text;
  return width <= 0 ? '' : `${signs.slice(0, width - 1).join('')}…`;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

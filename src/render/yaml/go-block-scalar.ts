import { Refusal } from './yaml-finding.ts';

export interface BlockScalar {
  /** The indicators: `|` or `>`, then an indentation of 1 to 9 and `+` or `-` in any order. */
  readonly header: string;
  /** The lines below the header, and all empty ones that follow. */
  readonly source: string;
  readonly offset: number;
  /** The column of the map or list around it. */
  readonly parentIndent: number;
}

const firstText = /^[ \n]*[^ \n]/;

/** The text of a literal or folded scalar, line by line as Go's scanner reads it. */
export function readBlockScalar({ header, source, offset, parentIndent }: BlockScalar): string {
  const lines = source.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const explicit = Number(/[1-9]/.exec(header)?.[0] ?? 0);
  const indent = explicit > 0 ? Math.max(0, parentIndent) + explicit : Math.max(parentIndent + 1, 1, leadingMargin(lines));
  if (explicit === 0 && firstText.exec(source)?.[0].endsWith('\t')) throw tabRefusal(offset);
  const folds = header.startsWith('>');
  let text = '';
  let lineBreak = '';
  let emptyLines = '';
  let afterBlank = false;
  for (const line of lines) {
    const margin = /^ */.exec(line)?.[0].length ?? 0;
    if (margin < indent) {
      if (line[margin] === '\t') throw tabRefusal(offset);
      if (margin < line.length) throw new Refusal('syntax', offset, 'a line of a block is indented less than the first one');
    }
    const content = line.slice(indent);
    if (content === '') {
      emptyLines += '\n';
      continue;
    }
    const startsBlank = content.startsWith(' ') || content.startsWith('\t');
    const joins = folds && !afterBlank && !startsBlank && lineBreak !== '';
    text += (joins ? (emptyLines === '' ? ' ' : '') : lineBreak) + emptyLines + content;
    lineBreak = '\n';
    emptyLines = '';
    afterBlank = startsBlank;
  }
  if (header.includes('-')) return text;
  return text + lineBreak + (header.includes('+') ? emptyLines : '');
}

/** The margin of the first line with text, or of an empty line before it that is longer. */
function leadingMargin(lines: readonly string[]): number {
  let widest = 0;
  for (const line of lines) {
    const margin = line.search(/[^ ]/);
    widest = Math.max(widest, margin === -1 ? line.length : margin);
    if (margin !== -1) break;
  }
  return widest;
}

function tabRefusal(offset: number): Refusal {
  return new Refusal('syntax', offset, 'kubectl refuses a tab in front of the text of a block: indent with spaces');
}

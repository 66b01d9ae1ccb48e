/** What kubectl hands to its YAML parser at once: the lines between two `---`. */
export interface Section {
  readonly text: string;
  /** Where a person finds it: the line of the file that `text` begins with, counted from 1. */
  readonly firstLine: number;
  /** 1 for the first document. Comments before the first `---` belong to it, as YAML says; empty documents count. */
  readonly index: number;
  /** What stands behind the `---` that opens the section and is no comment: kubectl refuses that. */
  readonly separatorText: string;
}

const separator = '---';
const blankOrComment = /^\s*(?:#.*)?$/;

export function isBlankOrComment(line: string): boolean {
  return blankOrComment.test(line);
}

/** Splits as kubectl does: by lines and before any parsing, whatever a `---` stands in. */
export function splitDocuments(text: string, start: { readonly index: number; readonly line: number }): readonly Section[] {
  const sections: Section[] = [];
  let lines: string[] = [];
  let [firstLine, index, separatorText, separators] = [start.line, start.index, '', 0];
  const close = (): void => {
    if (lines.length > 0) sections.push({ text: `${lines.join('\n')}\n`, firstLine, index, separatorText });
  };
  for (const [position, line] of linesOf(text).entries()) {
    if (!line.startsWith(separator)) {
      lines.push(line);
      continue;
    }
    close();
    if (separators > 0 || !lines.every(isBlankOrComment)) index += 1;
    separatorText = textBehind(line);
    // A `---` that ends nothing stays in the text it opens: there an empty document can end in `...`.
    const stays = lines.length === 0 || separatorText !== '';
    lines = stays ? [line] : [];
    firstLine = start.line + position + (stays ? 0 : 1);
    separators += 1;
  }
  close();
  return sections;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return (lines.at(-1) === '' ? lines.slice(0, -1) : lines).map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

function textBehind(line: string): string {
  const rest = line.slice(separator.length).trim();
  return rest.startsWith('#') ? '' : rest;
}

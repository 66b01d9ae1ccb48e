import { CST, Lexer } from 'yaml';
import { limits } from './limits.ts';
import type { Meter } from './meter.ts';

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * The same document in a layout that YAML 1.2 accepts too. Go's scanner does not mind how the lines of quoted texts and
 * brackets are indented, nor `*alias:` without a space. Lines keep their numbers. Undefined when nothing can be mended.
 */
export function mendLayout(text: string, meter: Meter): string | undefined {
  const widest = text.split('\n').reduce((width, line) => Math.max(width, line.search(/[^ ]|$/)), 0);
  if (widest >= limits.mendColumns) return undefined;
  const margin = ' '.repeat(widest + 1);
  let mended = text;
  for (let count = 0; count < limits.mends && mended.length <= limits.fileBytes; count += 1) {
    const edit = findEdit(mended, margin, meter);
    if (edit === undefined) return count === 0 ? undefined : mended;
    // An end of document stays where it is: Go refuses it there.
    if (/\n\s*\.\.\.\s/.test(edit.text)) return undefined;
    mended = mended.slice(0, edit.from) + edit.text + mended.slice(edit.to);
  }
  return undefined;
}

/** The next place at which the lexer gives up although Go's would not. */
function findEdit(text: string, margin: string, meter: Meter): Edit | undefined {
  const indent = (from: number, to: number): Edit => ({ from, to, text: text.slice(from, to).replaceAll('\n', `\n${margin}`) });
  let offset = 0;
  let unquoted = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!meter.hasTokensLeft()) return undefined;
    meter.countToken(offset);
    if (lexeme === CST.FLOW_END) return indent(text.lastIndexOf('\n', offset), offset);
    if (lexeme !== CST.DOCUMENT && lexeme !== CST.SCALAR) {
      const after = offset + lexeme.length;
      if (!unquoted && /^\*[\w-]+:$/.test(lexeme)) return { from: after - 1, to: after, text: ' :' };
      const end = unquoted ? -1 : quoteEnd(text, offset);
      if (end > after) return indent(offset, end);
      offset = after;
    }
    unquoted = lexeme === CST.SCALAR;
  }
  return undefined;
}

/** Where the quoted text that starts here ends, -1 when none starts or it does not end. */
function quoteEnd(text: string, start: number): number {
  const quoted = text[start] === '"' ? /"(?:[^"\\]|\\[^])*"/y : /'(?:[^']|'')*'/y;
  quoted.lastIndex = start;
  return quoted.test(text) ? quoted.lastIndex : -1;
}

import { CST, Lexer } from 'yaml';
import { limits } from './limits.ts';
import type { Meter } from './meter.ts';

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The same document with quoted texts and brackets indented as YAML 1.2 wants their lines to be: Go's scanner does not care.
 * Lines keep their numbers. Undefined where there is nothing of that kind to mend.
 */
export function reindent(text: string, meter: Meter): string | undefined {
  const margins = text.split('\n').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const margin = ' '.repeat(margins.reduce((widest, width) => Math.max(widest, width), 0) + 1);
  if (margin.length > limits.reindentColumns) return undefined;
  let mended = text;
  for (let count = 0; count < limits.reindents && mended.length <= limits.fileBytes; count += 1) {
    const range = findUnindented(mended, meter);
    if (range === undefined) return count === 0 ? undefined : mended;
    const lines = mended.slice(range.from, range.to);
    // An end of document stays where it is: Go refuses it there.
    if (/\n\.\.\.\s/.test(lines)) return undefined;
    mended = mended.slice(0, range.from) + lines.replaceAll('\n', `\n${margin}`) + mended.slice(range.to);
  }
  return undefined;
}

/** The next quoted text or line in brackets at which the lexer gives up for want of indentation. */
function findUnindented(text: string, meter: Meter): Range | undefined {
  let offset = 0;
  let unquoted = false;
  for (const lexeme of new Lexer().lex(text)) {
    meter.countToken(offset);
    if (lexeme === CST.FLOW_END) return { from: text.lastIndexOf('\n', offset), to: offset };
    if (lexeme !== CST.DOCUMENT && lexeme !== CST.SCALAR) {
      const end = unquoted ? -1 : quoteEnd(text, offset);
      if (end > offset + lexeme.length) return { from: offset, to: end };
      offset += lexeme.length;
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

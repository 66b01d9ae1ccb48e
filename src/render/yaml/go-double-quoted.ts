import { Refusal } from './yaml-finding.ts';

const escapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\u001B'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\u0085'],
  ['_', '\u00A0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);
const codeLengths: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/**
 * The text of a double-quoted scalar by Go's table of escapes, which knows `\'` and not `\/`, and refuses surrogates.
 * `source` has its quotes, and `offset` is where the first of them stands.
 */
export function readDoubleQuoted(source: string, offset: number): string {
  const end = source.length - 1;
  const ordinary = /[^\\ \t\n]*/y;
  const blank = /[ \t]*/y;
  const blankLines = /[ \t\n]*/y;
  const take = (pattern: RegExp, from: number): string => {
    pattern.lastIndex = from;
    return (pattern.exec(source)?.[0] ?? '').slice(0, end - from);
  };
  let text = '';
  for (let at = 1; at < end; ) {
    const run = take(ordinary, at);
    text += run;
    at += run.length;
    if (at >= end) break;
    const escaped = source[at] === '\\' ? source[at + 1] : undefined;
    if (escaped === undefined) {
      const blanks = take(blank, at);
      at += blanks.length;
      if (source[at] === '\n') {
        const folded = take(blankLines, at + 1);
        text += breaksOf(folded) || ' ';
        at += 1 + folded.length;
      } else text += blanks;
    } else if (escaped === '\n') {
      const folded = take(blankLines, at + 2);
      text += breaksOf(folded);
      at += 2 + folded.length;
    } else {
      const length = codeLengths.get(escaped) ?? 0;
      const hex = source.slice(at + 2, Math.min(end, at + 2 + length));
      text += (length === 0 ? escapes.get(escaped) : character(hex, length)) ?? refuse(offset + at, escaped);
      at += 2 + length;
    }
  }
  return text;
}

function breaksOf(blankLines: string): string {
  return blankLines.replaceAll(/[ \t]/g, '');
}

function character(hex: string, length: number): string | undefined {
  if (hex.length !== length || !/^[\da-fA-F]+$/.test(hex)) return undefined;
  const code = Number.parseInt(hex, 16);
  return code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff) ? undefined : String.fromCodePoint(code);
}

function refuse(offset: number, escape: string): never {
  throw new Refusal('invalid-escape', offset, `kubectl knows no escape \\${escape} in double quotes, or not with that code`);
}

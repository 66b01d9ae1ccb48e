import type { Json } from '../../model/index.ts';
import { bindAliases } from './bind-aliases.ts';
import { composeNode } from './compose-node.ts';
import { decodeNode } from './decode-node.ts';
import { createLineOf } from './line-of.ts';
import { mendLayout } from './mend-layout.ts';
import type { Meter } from './meter.ts';
import { attempt, type ParsedDocument, type Place } from './parsed-document.ts';
import { isBlankOrComment, type Section } from './split-documents.ts';
import { toJson } from './to-json.ts';
import { Refusal, type Warn } from './yaml-finding.ts';

// Go's reader allows no other characters, wherever they stand.
// oxlint-disable-next-line no-control-regex
const forbidden = /[^\t\n\r\u0020-\u007E\u0085\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|\n\uFEFF/u;
const separatorBreak = /[\u2028\u2029]/;
const byteOrderMark = /^\uFEFF/;
const otherBreaks = /\r\n?|\u0085/g;

const mendable: ReadonlySet<string | undefined> = new Set(['syntax', 'ignored-text', 'unknown-alias']);

/** One section as YAML. */
export function readSection(section: Section, meter: Meter): ParsedDocument {
  const text = section.text.replace(byteOrderMark, '').replaceAll(otherBreaks, '\n');
  const document = attempt(placeOf(section, text), (warn) => {
    if (section.separatorText !== '') throw new Refusal('invalid-separator', 0, 'kubectl allows nothing but a comment behind ---');
    checkCharacters(text);
    return readText(text, meter, warn);
  });
  if (!mendable.has(document.findings[0]?.code)) return document;
  const mended = mendLayout(text, meter);
  return mended === undefined ? document : attempt(placeOf(section, mended), (warn) => readText(mended, meter, warn));
}

function placeOf({ index, firstLine }: Section, text: string): Place {
  const content = text.split('\n').findIndex((line) => !isBlankOrComment(line) && !line.startsWith('---'));
  return { index, line: firstLine + Math.max(content, 0), lineOf: createLineOf(text, firstLine) };
}

function checkCharacters(text: string): void {
  const odd = forbidden.exec(text);
  if (odd !== null) throw new Refusal('control-character', odd.index, 'kubectl refuses control characters in YAML');
  const exotic = separatorBreak.exec(text);
  if (exotic !== null) {
    throw new Refusal('exotic-line-break', exotic.index, 'kubectl breaks lines at U+2028 and U+2029: write \\L and \\P in double quotes');
  }
}

function readText(text: string, meter: Meter, warn: Warn): Json {
  const { node, end } = composeNode(text, meter);
  if (node === undefined) return null;
  const document = meter.openDocument();
  const value = toJson(decodeNode(node, { text, aliases: bindAliases(node, document), meter: document, warn }), warn);
  const rest = text.slice(end).replace(/^\.\.\./, '');
  if (rest.split('\n').every((line) => isBlankOrComment(line))) return value;
  const message = 'kubectl ignores what follows the end of a document (...) up to the next ---';
  if (value === null) throw new Refusal('ignored-text', end, message);
  warn({ code: 'ignored-text', offset: end, message });
  return value;
}

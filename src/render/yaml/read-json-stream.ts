import { createLineOf } from './line-of.ts';
import { limits } from './limits.ts';
import type { Meter } from './meter.ts';
import { isEmpty, readDocument, refusedDocument, type ParsedDocument } from './parsed-document.ts';
import { readJson } from './read-json.ts';
import { collectWarnings, Refusal } from './yaml-finding.ts';

export interface JsonStream {
  readonly documents: readonly ParsedDocument[];
  /** What is left for YAML, and the index and line it starts at. */
  readonly rest: { readonly text: string; readonly index: number; readonly line: number };
}

// kubectl looks no further than this for the brace.
const peekedLength = 4096;

export function looksLikeJson(text: string): boolean {
  return /^[^\S\uFEFF]*\{/.test(text.slice(0, peekedLength));
}

/** kubectl reads JSON values one after another; where the first or the second is none, YAML takes over. */
export function readJsonStream(text: string, meter: Meter): JsonStream {
  const lineOf = createLineOf(text, 1);
  const documents: ParsedDocument[] = [];
  const restFrom = (offset: number, restIndex: number): JsonStream => ({
    documents: documents.filter((document) => !isEmpty(document)),
    rest: { text: text.slice(offset), index: restIndex, line: lineOf(offset) },
  });
  let at = 0;
  for (let index = 1; ; index += 1) {
    // One too many is enough for the caller to refuse the file.
    if (index > limits.documentsPerFile + 1) return restFrom(text.length, index);
    const { warn, warnings } = collectWarnings();
    const read = readJson(text, { from: at, meter: meter.openDocument(), warn });
    const start = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
    const place = { index, line: lineOf(start), lineOf };
    const refuse = (refusal: Refusal): JsonStream => {
      documents.push(refusedDocument(place, refusal));
      const separator = text.indexOf('\n---', start);
      return restFrom(separator === -1 ? text.length : separator + 1, index + 1);
    };
    switch (read.type) {
      case 'value':
        documents.push(readDocument(place, read.value, warnings()));
        at = read.end;
        break;
      case 'end':
        return restFrom(text.length, index);
      case 'refused':
        if (read.end === undefined) return refuse(read.refusal);
        documents.push(refusedDocument(place, read.refusal));
        at = read.end;
        break;
      case 'broken': {
        if (index > 2) return refuse(new Refusal('syntax', start, 'no valid JSON, in a file of JSON values that no --- parts'));
        const yaml = yamlStart(text, at);
        if (yaml === undefined) return refuse(new Refusal('syntax', start, 'no valid JSON, and too short for kubectl to try YAML'));
        return restFrom(yaml, index);
      }
    }
  }
}

/** kubectl steps over white space up to the end of the line, looks at four bytes and gives up when they are not there. */
function yamlStart(text: string, from: number): number | undefined {
  const blank = /[^\S\n]*/y;
  blank.lastIndex = from;
  blank.exec(text);
  const at = blank.lastIndex;
  if (Buffer.byteLength(text.slice(at, at + 4)) < 4) return undefined;
  return text[at] === '\n' ? at + 1 : at;
}

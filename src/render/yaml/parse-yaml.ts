import { limits } from './limits.ts';
import { createMeter } from './meter.ts';
import { isEmpty, refusedDocument, type ParsedDocument } from './parsed-document.ts';
import { looksLikeJson, readJsonStream } from './read-json-stream.ts';
import { readSection } from './read-section.ts';
import { splitDocuments } from './split-documents.ts';
import { Refusal } from './yaml-finding.ts';

export type { ParsedDocument } from './parsed-document.ts';

/**
 * The documents of a file as kubectl reads them: JSON when it starts with a brace, otherwise YAML 1.1 with Go's scalars.
 * Pass bytes where you can: only they tell a byte order mark and broken UTF-8.
 */
export function parseYaml(content: string | Uint8Array): readonly ParsedDocument[] {
  const text = decode(content);
  if (text instanceof Refusal) return refuseFile(text);
  const meter = createMeter();
  const { documents, rest } = looksLikeJson(text)
    ? readJsonStream(text, meter)
    : { documents: [], rest: { text, index: 1, line: 1 } };
  const sections = splitDocuments(rest.text, rest);
  if (documents.length + sections.length > limits.documentsPerFile) {
    return refuseFile(new Refusal('too-many-documents', 0, `the file has more than ${limits.documentsPerFile} documents`));
  }
  return [...documents, ...sections.map((section) => readSection(section, meter)).filter((document) => !isEmpty(document))];
}

function refuseFile(refusal: Refusal): readonly ParsedDocument[] {
  return [refusedDocument({ index: 1, line: 1, lineOf: () => 1 }, refusal)];
}

function decode(content: string | Uint8Array): string | Refusal {
  const size = typeof content === 'string' ? Buffer.byteLength(content) : content.length;
  if (size > limits.fileBytes) return new Refusal('too-large', 0, `the file has ${size} bytes, and the limit is ${limits.fileBytes}`);
  if (typeof content === 'string') return content;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return new Refusal('invalid-utf8', 0, 'the file is not UTF-8');
  }
}

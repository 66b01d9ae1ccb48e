import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import { SetpointError } from '../model/index.ts';
import type { Layer } from './layer.ts';

export interface ConfigFile {
  /** As people know it. */
  readonly path: string;
  /** Where relative paths in it start. */
  readonly folder: string;
  readonly text: string;
}

const largest = 1024 * 1024;
const mostAliases = 100;

/** What the parser says repeats the text, which may hold a secret. */
const faults: Readonly<Record<string, string>> = {
  BAD_INDENT: 'the indentation does not fit, or something is not closed',
  DUPLICATE_KEY: 'this key is there twice',
  MULTIPLE_DOCS: 'one document is wanted, got another',
  TAB_AS_INDENT: 'a tab is no indentation',
  TAG_RESOLVE_FAILED: 'a tag that is not known',
};

/** Throws where the file is no mapping of keys. */
export function configFileLayer({ path, folder, text }: ConfigFile): Layer {
  if (text.length > largest) throw refused(path, `a configuration has at most ${largest} characters, got ${text.length}`);
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const document = parse(path, text, lines);
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) {
    const what = faults[fault.code] ?? `this is no YAML (${fault.code.toLowerCase().replaceAll('_', ' ')})`;
    throw refused(`${path}:${lineAt(fault.pos[0])}`, what);
  }
  const raw = valueOf(document, path);
  if (raw !== null && (typeof raw !== 'object' || Array.isArray(raw))) throw refused(path, `a mapping of keys is wanted, got ${Array.isArray(raw) ? 'a list' : 'one value'}`);
  return {
    // A key without a value says nothing.
    raw: Object.fromEntries(Object.entries(raw ?? {}).filter(([, value]) => value !== null)),
    originOf: (keys) => ({ type: 'file', file: path, line: lineAt(offsetOf(document, keys)) }),
    folder,
  };
}

function parse(path: string, text: string, lineCounter: LineCounter): Document.Parsed {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  } catch {
    // Brackets in brackets in brackets, until there is no stack left.
    throw refused(path, 'this is no YAML that can be read');
  }
}

function valueOf(document: Document.Parsed, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: mostAliases });
  } catch {
    throw refused(path, `aliases (*NAME) are not known, or stand for too much: at most ${mostAliases} values may come of them`);
  }
}

function refused(place: string, what: string): SetpointError {
  return new SetpointError('Usage', `${place}: ${what}`);
}

/** Where the key or item begins, or as much of the way to it as there is. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  let offset = 0;
  let node: unknown = document.contents;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (pair === undefined) break;
      offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) ? node.range?.[0] : undefined;
}

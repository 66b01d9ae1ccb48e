import { isList, parseJson, stringifyJson, type Json, type JsonObject } from '../../model/index.ts';
import type { ParsedDocument } from '../yaml/parse-yaml.ts';

/**
 * The documents of a file as lines, none much longer than this where its values allow it: they come from another thread or from disk, and
 * who reads them can pause between two lines.
 */
const lineChars = 32 * 1024;

type Head = Omit<ParsedDocument, 'value'>;

/** What a file holds. */
export interface YamlContent {
  readonly documents: readonly ParsedDocument[];
  /** Of the file itself. */
  readonly bytes: number;
}

/** Undefined where the text would be longer than `maxChars`: an alias repeats a long value for a few bytes. */
export function writeDocuments({ documents, bytes }: YamlContent, maxChars: number): string | undefined {
  const chars = new Map<Json, number>();
  let total = 0;
  for (const { value } of documents) {
    total += countChars(value, chars);
    if (total > maxChars) return undefined;
  }
  const lines = [String(bytes)];
  for (const { value, ...head } of documents) {
    lines.push(JSON.stringify(head));
    writeValue(value, chars, lines);
  }
  return lines.join('\n');
}

/** About as many as its JSON has: escapes are not counted. */
function countChars(value: Json, chars: Map<Json, number>): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 8;
  const known = chars.get(value);
  if (known !== undefined) return known;
  let count = 2;
  if (isList(value)) for (const item of value) count += countChars(item, chars);
  else for (const [key, item] of Object.entries<Json>(value)) count += key.length + 4 + countChars(item, chars);
  chars.set(value, count);
  return count;
}

/** `=` and a value; or `[` or `{`, lines of `+` some members and of `>` a key with the value of its own that follows, and `.` */
function writeValue(value: Json, chars: ReadonlyMap<Json, number>, lines: string[]): void {
  if (typeof value !== 'object' || value === null || (chars.get(value) ?? 0) <= lineChars) {
    lines.push(`=${stringifyJson(value)}`);
    return;
  }
  const [begin, end] = isList(value) ? ['[', ']'] : ['{', '}'];
  const members: readonly (readonly [string | undefined, Json])[] = isList(value) ? value.map((item) => [undefined, item]) : Object.entries<Json>(value);
  lines.push(begin);
  let [some, length]: [string[], number] = [[], 0];
  const flush = (): void => {
    if (some.length > 0) lines.push(`+${begin}${some.join(',')}${end}`);
    [some, length] = [[], 0];
  };
  for (const [key, item] of members) {
    const name = key === undefined ? '' : JSON.stringify(key);
    if (typeof item === 'object' && item !== null && (chars.get(item) ?? 0) > lineChars) {
      flush();
      lines.push(`>${name}`);
      writeValue(item, chars, lines);
      continue;
    }
    const text = key === undefined ? stringifyJson(item) : `${name}:${stringifyJson(item)}`;
    if (length + text.length > lineChars) flush();
    some.push(text);
    length += text.length;
  }
  flush();
  lines.push('.');
}

interface Open {
  readonly list: Json[] | undefined;
  readonly object: Record<string, Json>;
  key: string;
}

/** Throws where the text is none that `writeDocuments` wrote. `breathe` is awaited between lines. */
export async function readDocuments(text: string, breathe: () => Promise<void> | undefined): Promise<YamlContent> {
  const documents: ParsedDocument[] = [];
  const open: Open[] = [];
  const [size = ''] = text.split('\n', 1);
  if (!/^\d+$/.test(size)) throw new TypeError('the text of the documents does not begin with a size');
  let head: Head | undefined;
  const put = (value: Json): void => {
    const parent = open.at(-1);
    if (parent !== undefined) add(parent, parent.key, value);
    else if (head === undefined) throw new TypeError('a value without its document');
    else {
      documents.push({ ...head, value });
      head = undefined;
    }
  };
  for (const line of linesOf(text, size.length + 1)) {
    const rest = line.slice(1);
    if (head === undefined) head = parseJson(line) as unknown as Head;
    else if (line[0] === '=') put(parseJson(rest));
    else if (line === '[' || line === '{') open.push({ list: line === '[' ? [] : undefined, object: {}, key: '' });
    else readMember(line, open, put);
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  if (head !== undefined || open.length > 0) throw new TypeError('the text of the documents ends too early');
  return { documents, bytes: Number(size) };
}

function readMember(line: string, open: Open[], put: (value: Json) => void): void {
  const current = open.at(-1);
  if (current === undefined) throw new TypeError('a part without its whole');
  const rest = line.slice(1);
  switch (line.slice(0, 1)) {
    case '+':
      if (current.list === undefined) for (const [key, value] of Object.entries(parseJson(rest) as JsonObject)) add(current, key, value);
      else for (const value of parseJson(rest) as readonly Json[]) add(current, '', value);
      return;
    case '>':
      if (current.list === undefined) current.key = JSON.parse(rest) as string;
      return;
    case '.':
      open.pop();
      put(current.list ?? current.object);
      return;
    default:
      throw new TypeError('an unknown line in the text of the documents');
  }
}

function add({ list, object }: Open, key: string, value: Json): void {
  if (list !== undefined) list.push(value);
  // Assigned, it would become the prototype.
  else if (key === '__proto__') Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

function* linesOf(text: string, from: number): Generator<string> {
  for (let start = from; start < text.length; ) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end === -1 ? undefined : end);
    start = end === -1 ? text.length : end + 1;
  }
}

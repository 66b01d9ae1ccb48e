import { Composer, Lexer, Parser, type CST, type ErrorCode, type ParsedNode } from 'yaml';
import { limits } from './limits.ts';
import type { Meter } from './meter.ts';
import { createScanRules } from './scan-rules.ts';
import { Refusal } from './yaml-finding.ts';

export interface Composed {
  /** Undefined for a text without a document: blank, or only comments. */
  readonly node: ParsedNode | undefined;
  /** Where the first document ends, which is where kubectl stops reading. */
  readonly end: number;
}

// The failsafe schema gives scalars no meaning; that is Go's to give. Known tags of YAML 1.2 would reshape collections.
const options = {
  version: '1.2',
  schema: 'failsafe',
  resolveKnownTags: false,
  uniqueKeys: false,
  // Go minds no comment that touches what it follows, and the length of keys is checked elsewhere.
  strict: false,
  keepSourceTokens: true,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

// The parser's own messages may quote a value.
const problems: Readonly<Partial<Record<ErrorCode, string>>> = {
  ALIAS_PROPS: 'an alias cannot have a tag or an anchor',
  BAD_ALIAS: 'an alias or anchor has no name, or one that ends in a colon',
  BAD_INDENT: 'the indentation does not fit the lines above',
  BAD_PROP_ORDER: 'a tag or anchor stands before the indicator it should follow',
  BAD_SCALAR_START: 'an unquoted text begins with a character that YAML keeps for itself: quote it',
  BLOCK_AS_IMPLICIT_KEY: 'a map or list stands where a single value is wanted: is a quote or a line break missing?',
  BLOCK_IN_FLOW: 'a block style map, list or text stands inside brackets',
  KEY_OVER_1024_CHARS: 'a key is longer than 1024 characters',
  MISSING_CHAR: 'a quote, bracket, colon or space is missing',
  MULTILINE_IMPLICIT_KEY: 'a key goes over more than one line: is a colon or a quote missing?',
  MULTIPLE_ANCHORS: 'a value has two anchors',
  MULTIPLE_TAGS: 'a value has two tags',
  TAB_AS_INDENT: 'a tab is used as indentation: use spaces',
  TAG_RESOLVE_FAILED: 'a tag has an undefined handle or no name',
};

/** The first document of a text as a tree, without any meaning given to its scalars, tags and aliases. */
export function composeNode(text: string, meter: Meter): Composed {
  const composer = new Composer(options);
  let end: number | undefined;
  let documents = 0;
  for (const token of tokensOf(text, meter)) {
    if (token.type === 'directive') {
      throw new Refusal('directive', token.offset, 'kubectl cuts the file at --- and refuses a directive (%) that is left alone');
    }
    if (token.type === 'document') documents += 1;
    if (documents > 1 || (documents === 1 && token.type === 'doc-end')) {
      end = token.offset;
      break;
    }
    if (token.type === 'document') checkRoot(token);
    // A generator: it does its work when it is read, and yields nothing before the second document.
    composer.next(token).next();
  }
  const [document] = composer.end(true, text.length);
  const [error] = document?.errors.filter(({ code }) => code !== 'BAD_DQ_ESCAPE').toSorted((a, b) => a.pos[0] - b.pos[0]) ?? [];
  if (error !== undefined) {
    const [offset] = error.pos;
    if (document?.contents && error.code === 'UNEXPECTED_TOKEN' && offset >= document.contents.range[1]) {
      throw new Refusal('ignored-text', offset, 'kubectl stops reading here and ignores the rest: is the first line indented by mistake?');
    }
    throw new Refusal('syntax', offset, `no valid YAML: ${problems[error.code] ?? 'this is not expected here'}`);
  }
  return { node: documents === 0 ? undefined : (document?.contents ?? undefined), end: end ?? text.length };
}

function checkRoot({ start, value, offset }: CST.Document): void {
  // Go sees an end without a start, which is an error, and not an empty document.
  if (value === undefined && start.length === 0) throw new Refusal('syntax', offset, 'no valid YAML: a document ends (...) that did not start');
  if (value?.type === 'block-scalar') throw new Refusal('syntax', offset, 'a text in block style alone is no document');
}

function* tokensOf(text: string, meter: Meter): Generator<CST.Token> {
  const parser = new Parser();
  const check = createScanRules();
  for (const lexeme of new Lexer().lex(text)) {
    meter.countToken(parser.offset);
    check(lexeme, parser.offset);
    yield* parser.next(lexeme);
    // The stack holds the document, the collections that are open and at most one scalar. Composing recurses.
    if (parser.stack.length > limits.depth + 2) {
      throw new Refusal('too-deep', parser.offset, `nested deeper than ${limits.depth} levels`);
    }
  }
  yield* parser.end();
}

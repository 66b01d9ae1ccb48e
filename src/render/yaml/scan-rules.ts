import { CST } from 'yaml';
import { Refusal } from './yaml-finding.ts';

/** Reads the lexemes of a text in order and refuses what Go's scanner refuses, or reads differently, from YAML 1.2. */
export type ScanRules = (lexeme: string, offset: number) => void;

type Lexeme = CST.TokenType | 'plain' | 'block' | 'unknown';

/** Go takes a tab for space only where no key can start: not in front of a line, nor behind `-`, `?` and the `:` of a `?`. */
type KeyState = 'may start' | 'is open' | 'is over';

// Newlines and the colon depend on more; what is not listed changes nothing.
const keyStateAfter: Readonly<Partial<Record<Lexeme, KeyState>>> = {
  plain: 'is open',
  'single-quoted-scalar': 'is open',
  'double-quoted-scalar': 'is open',
  alias: 'is open',
  anchor: 'is open',
  tag: 'is open',
  'flow-map-end': 'is open',
  'flow-seq-end': 'is open',
  block: 'may start',
  'seq-item-ind': 'may start',
  'explicit-key-ind': 'may start',
  'block-scalar-header': 'is over',
  'doc-start': 'is over',
  'doc-end': 'is over',
};

const flowIndicators: ReadonlySet<Lexeme> = new Set(['comma', 'flow-map-start', 'flow-map-end', 'flow-seq-start', 'flow-seq-end']);
const afterHeader: ReadonlySet<Lexeme> = new Set(['space', 'comment', 'newline', 'scalar']);
const tabbedContinuation = /\n *\t/;

export function createScanRules(): ScanRules {
  let key: KeyState = 'may start';
  let flowLevel = 0;
  let awaited: 'plain' | 'block' = 'plain';
  let last: Lexeme = 'unknown';
  let keyKind: Lexeme = 'unknown';

  return (lexeme, offset) => {
    const type: Lexeme = last === 'scalar' ? awaited : (CST.tokenType(lexeme) ?? 'unknown');
    const inFlow = flowLevel > 0;
    if (awaited === 'block' && type !== 'block' && !afterHeader.has(type)) {
      throw new Refusal('syntax', offset, 'no valid YAML: text stands behind the | or > of a block');
    }
    if (type === 'space' && lexeme.includes('\t') && key === 'may start' && !inFlow) throw tabRefusal(offset);
    if (type === 'plain') checkPlain(lexeme, offset, inFlow);
    if ((type === 'seq-item-ind' || type === 'explicit-key-ind') && key !== 'may start' && !inFlow) {
      throw new Refusal('syntax', offset, 'no valid YAML: a list or a ? key cannot start here');
    }
    if (inFlow && flowIndicators.has(type) && last === 'map-value-ind' && keyKind === 'plain') {
      throw new Refusal('flow-indicator', offset, 'kubectl takes a colon for text when a bracket or comma follows it: put a space between');
    }

    if (type === 'flow-map-start' || type === 'flow-seq-start') flowLevel += 1;
    if (type === 'flow-map-end' || type === 'flow-seq-end') flowLevel = Math.max(0, flowLevel - 1);
    if (type === 'flow-error-end') flowLevel = 0;
    if (type === 'newline' && !inFlow) key = 'may start';
    else if (type === 'map-value-ind') key = key === 'is open' ? 'is over' : 'may start';
    else key = keyStateAfter[type] ?? key;
    if (type === 'block-scalar-header') awaited = 'block';
    if (type === 'block') awaited = 'plain';
    if (type !== 'space' && type !== 'map-value-ind') keyKind = type;
    last = type;
  };
}

function checkPlain(text: string, offset: number, inFlow: boolean): void {
  if (tabbedContinuation.test(text)) throw tabRefusal(offset);
  if (inFlow && (text.startsWith(':') || text.includes('?'))) {
    throw new Refusal('flow-indicator', offset, 'kubectl takes : and ? inside brackets for indicators: quote the text');
  }
}

function tabRefusal(offset: number): Refusal {
  return new Refusal('syntax', offset, 'kubectl refuses a tab in front of a line or behind - and ?: use spaces');
}

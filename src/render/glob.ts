import { SetpointError } from '../model/index.ts';

type Token = { readonly type: 'any' } | { readonly type: 'one'; readonly matches: (character: string) => boolean };
type Alternatives = readonly (readonly Token[])[];

// What one look at a path may cost: a pattern is somebody's input.
const mostAlternatives = 1000;
const mostTokens = 20_000;

/**
 * Argo CD's globs over paths: `*` and `**` stand for any text, folders included, `?` for one character, `[abc]`, `[a-z]` and
 * `[!a-z]` for one of a set, `{a,b}` for either; `\` takes the meaning off. No pattern takes long, unlike a RegExp of many `*`.
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  const alternatives = parse(pattern);
  return (path) => {
    const characters = Array.from(path);
    return alternatives.some((tokens) => matches(tokens, characters));
  };
}

function invalid(pattern: string, why: string): SetpointError {
  return new SetpointError('Usage', `the pattern ${pattern} ${why}`);
}

/** `a{b,c{d,e}}` is `ab`, `acd`, `ace`. */
function parse(pattern: string): Alternatives {
  const characters = Array.from(pattern);
  const outer: { readonly before: Alternatives; readonly options: Alternatives }[] = [];
  let current: Alternatives = [[]];
  const append = (added: Alternatives): void => {
    current = joined(pattern, current, added);
  };
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at];
    if (character === '{') {
      outer.push({ before: current, options: [] });
      current = [[]];
    } else if (outer.length > 0 && (character === ',' || character === '}')) {
      const { before, options } = outer.pop() ?? { before: [], options: [] };
      const all = [...options, ...current];
      if (character === ',') outer.push({ before, options: all });
      current = character === ',' ? [[]] : joined(pattern, before, all);
    } else if (character === '[') {
      const set = readSet(pattern, characters, at + 1);
      append([[{ type: 'one', matches: set.matches }]]);
      at = set.end;
    } else if (character === '\\') {
      at += 1;
      const escaped = characters[at];
      // A `\` at the very end has nothing to take the meaning off, and stands for nothing.
      if (escaped !== undefined) append([[literal(escaped)]]);
    } else append([[tokenOf(character ?? '')]]);
  }
  if (outer.length > 0) throw invalid(pattern, 'has a { without its }');
  return current;
}

/** Every one of `before` with every one of `after` behind it. */
function joined(pattern: string, before: Alternatives, after: Alternatives): Alternatives {
  if (before.length * after.length > mostAlternatives) throw invalid(pattern, `has more than ${mostAlternatives} alternatives`);
  const all = before.flatMap((start) => after.map((end) => [...start, ...end]));
  if (all.reduce((sum, tokens) => sum + tokens.length, 0) > mostTokens) throw invalid(pattern, `has more than ${mostTokens} characters in all its alternatives`);
  return all;
}

function tokenOf(character: string): Token {
  if (character === '*') return { type: 'any' };
  return character === '?' ? { type: 'one', matches: () => true } : literal(character);
}

function literal(wanted: string): Token {
  return { type: 'one', matches: (got) => got === wanted };
}

interface CharacterSet {
  readonly matches: (character: string) => boolean;
  /** Where its `]` is. */
  readonly end: number;
}

function readSet(pattern: string, characters: readonly string[], start: number): CharacterSet {
  const isNegated = characters[start] === '!';
  const first = isNegated ? start + 1 : start;
  const [low = '', dash, high = '', close] = characters.slice(first, first + 4);
  if (dash === '-') {
    if (close !== ']' || codeOf(high) < codeOf(low)) throw invalid(pattern, 'has a [ that is neither [abc] nor [a-z]');
    return { matches: (got) => (codeOf(got) >= codeOf(low) && codeOf(got) <= codeOf(high)) !== isNegated, end: first + 3 };
  }
  const members = new Set<string>();
  let at = first;
  for (; at < characters.length && characters[at] !== ']'; at += 1) {
    if (characters[at] === '\\') at += 1;
    members.add(characters[at] ?? '');
  }
  if (at >= characters.length) throw invalid(pattern, 'has a [ without its ]');
  if (members.size === 0) throw invalid(pattern, 'has a [ with nothing in it');
  return { matches: (got) => members.has(got) !== isNegated, end: at };
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function matches(tokens: readonly Token[], text: readonly string[]): boolean {
  let [p, t] = [0, 0];
  // Where to go on when the last `*` has to take one character more.
  let retry: { readonly p: number; readonly t: number } | undefined;
  while (t < text.length) {
    const token = tokens[p];
    if (token?.type === 'any') {
      p += 1;
      retry = { p, t };
    } else if (token !== undefined && token.matches(text[t] ?? '')) {
      p += 1;
      t += 1;
    } else {
      if (retry === undefined) return false;
      retry = { p: retry.p, t: retry.t + 1 };
      ({ p, t } = retry);
    }
  }
  return tokens.slice(p).every(({ type }) => type === 'any');
}

import { parseResourceKey, SetpointError, type Finding, type ResourceKey } from '../model/index.ts';
import { matchesGlob } from './glob.ts';

type ResourceFilter = (key: ResourceKey) => boolean;

interface Pattern {
  readonly text: string;
  readonly negated: boolean;
  readonly matches: ResourceFilter;
}

const wanted = "[group/]Kind[/namespace]/name, with * and ? as wildcards and a ! in front for 'not'";

/** Whether a resource is asked for: it matches one of the patterns, if there are any, and none of the negated ones. */
export function parseResourceFilter(texts: readonly string[]): ResourceFilter {
  const patterns = texts.map(parsePattern);
  const [negated, positive] = [patterns.filter((pattern) => pattern.negated), patterns.filter((pattern) => !pattern.negated)];
  return (key) => (positive.length === 0 || positive.some(({ matches }) => matches(key))) && !negated.some(({ matches }) => matches(key));
}

/** A pattern that matches nothing is a mistake: nobody shall read a misspelt name as "in sync". */
export function demandMatches(texts: readonly string[], keys: readonly ResourceKey[], findings: readonly Finding[]): void {
  if (texts.length === 0) return;
  const idle = texts.map(parsePattern).filter(({ negated, matches }) => !negated && !keys.some(matches));
  const unread = findings.filter(({ severity }) => severity === 'error').map(({ origin, message }) => `; ${origin} cannot be read: ${message}`);
  if (idle.length > 0) {
    throw new SetpointError('Usage', `no manifest matches --resource ${idle.map(({ text }) => text).join(' nor ')}${unread.join('')}`);
  }
  if (!keys.some(parseResourceFilter(texts))) throw new SetpointError('Usage', `--resource ${texts.join(' ')} leaves nothing to compare`);
}

function parsePattern(text: string): Pattern {
  const negated = text.startsWith('!');
  const segments = (negated ? text.slice(1) : text).split('/');
  const readings = readingsOf(segments);
  if (readings.length === 0) throw new SetpointError('Usage', `--resource ${text} is not understood: it wants ${wanted}`);
  return { text, negated, matches: (key) => readings.some((matches) => matches(key)) };
}

/** Three segments may begin with a group or end with a namespace; no kind is called like a namespace, so either may match. */
function readingsOf(segments: readonly string[]): readonly ResourceFilter[] {
  const [a = '', b = '', c = '', d = ''] = segments;
  switch (segments.length) {
    case 2:
      return reading({ kind: a, name: b });
    case 3:
      return [...reading({ group: a, kind: b, name: c }), ...reading({ kind: a, namespace: b, name: c })];
    case 4:
      return reading({ group: a, kind: b, namespace: c, name: d });
    default:
      return [];
  }
}

interface Reading {
  /** Absent: any; empty: the core group. */
  readonly group?: string;
  readonly kind: string;
  /** Absent: any; empty: the resource has none. */
  readonly namespace?: string;
  readonly name: string;
}

function reading({ group = '*', kind, namespace = '*', name }: Reading): readonly ResourceFilter[] {
  if (kind === '' || name === '') return [];
  const lowerKind = kind.toLowerCase();
  return [
    (key) => {
      const has = parseResourceKey(key);
      return (
        matchesGlob(group, has.group) &&
        matchesGlob(lowerKind, has.kind.toLowerCase()) &&
        matchesGlob(namespace, has.namespace) &&
        matchesGlob(name, has.name)
      );
    },
  ];
}

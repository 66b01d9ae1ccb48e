import { globOf, literally } from './glob.ts';
import { everyItem, type Condition, type Step } from './path.ts';
import { pathScanner, type PathScanner } from './path-scanner.ts';

/** A keyed path as read. `floats`: it begins at any depth of an object that has no such field at its root. */
export interface KeyedPath {
  readonly steps: readonly Step[];
  readonly floats: boolean;
}

/**
 * A keyed path:
 *
 *     path    = ["."] segment { "." segment | bracket }
 *     segment = key | glob | "*" | "**" | quoted | bracket
 *     bracket = "[" ( "*" | index | key | glob | quoted | field "=" value { "," field "=" value } ) "]"
 *
 * `spec.replicas` is a field. `data.generated-*` and `data[generated-*]` are the keys that fit, `finalizers[example.com/*]` the
 * items that fit. `["a.b/c"]` and `"a.b/c"` stand for themselves, dots, stars and all. `containers[name=web]` are the items of
 * a list, or the entries of a map, of which all conditions hold: each compares the string form of a field, which may lie deeper
 * (`[metadata.name=data]`), with a value, which may have stars, or quotes that take it literally. `ports[0]` is an item by its
 * index (or an entry named 0), `rules[*]` are all items or entries, `**` is any number of levels, none included.
 *
 * A path begins at the object's root. If neither side has a field of its first segment's name there, it begins wherever there is
 * one: `containers[name=web].env[name=*_URL]` serves a Pod, a Deployment and a CronJob. A leading dot pins it to the root.
 */
export function parsePath(text: string): KeyedPath {
  const scanner = pathScanner(text);
  const pinned = scanner.take(/\./y) !== undefined;
  const steps = [parseSegment(scanner)];
  while (!scanner.isAtEnd()) {
    if (scanner.sees(/\[/y)) steps.push(parseBracket(scanner));
    else if (scanner.take(/\./y) !== undefined) steps.push(parseSegment(scanner));
    else scanner.refuse('not understood', ': a name that has more than letters, digits, dashes and the like goes in brackets and quotes');
  }
  return { steps, floats: !pinned };
}

function parseSegment(scanner: PathScanner): Step {
  if (scanner.sees(/\[/y)) return parseBracket(scanner);
  const quoted = scanner.takeQuoted();
  if (quoted !== undefined) return { type: 'key', key: quoted };
  const name = scanner.take(/[^.[\]\s"',=|()]+/y) ?? scanner.refuse('wanted the name of a field');
  if (name === '**') return { type: 'deep' };
  if (name === '*') return everyItem;
  return name.includes('*') ? { type: 'match', glob: globOf(name) } : { type: 'key', key: name };
}

function parseBracket(scanner: PathScanner): Step {
  scanner.take(/\[\s*/y);
  const step = parseBracketed(scanner);
  if (scanner.take(/\s*\]/y) === undefined) scanner.refuse('wanted ]');
  return step;
}

function parseBracketed(scanner: PathScanner): Step {
  const quoted = scanner.takeQuoted();
  if (quoted !== undefined) return { type: 'match', glob: literally(quoted) };
  if (scanner.sees(/[^\]\s"',=]+\s*=/y)) return { type: 'where', conditions: parseConditions(scanner) };
  const word = takeWord(scanner) ?? scanner.refuse('wanted a name, a glob, an index, a condition or *');
  if (word === '*') return everyItem;
  return /^(?:0|[1-9]\d*)$/.test(word) ? { type: 'token', key: word } : { type: 'match', glob: globOf(word) };
}

function parseConditions(scanner: PathScanner): readonly Condition[] {
  const conditions = [parseCondition(scanner)];
  while (scanner.take(/\s*,\s*/y) !== undefined) conditions.push(parseCondition(scanner));
  return conditions;
}

function parseCondition(scanner: PathScanner): Condition {
  const field = takeWord(scanner)?.split('.') ?? [''];
  if (field.includes('') || scanner.take(/\s*=\s*/y) === undefined) scanner.refuse('wanted a condition such as name=web');
  const quoted = scanner.takeQuoted();
  if (quoted !== undefined) return { field, wants: literally(quoted) };
  const value = takeWord(scanner) ?? scanner.refuse('wanted a value', ', in quotes if it is empty or has spaces, commas or brackets');
  return { field, wants: globOf(value) };
}

function takeWord(scanner: PathScanner): string | undefined {
  return scanner.take(/[^\]\s"',=]+/y);
}

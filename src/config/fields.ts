import { z } from 'zod';
import { SetpointError, shownText } from '../model/index.ts';
import { parseDuration } from './duration.ts';

// The message of every check is what was wanted: who reports it knows where, and what was got.

export function text(wanted = 'a text') {
  return z.string({ error: wanted }).min(1, { error: wanted });
}

export function pattern(form: RegExp, wanted: string) {
  return z.string({ error: wanted }).regex(form, { error: wanted });
}

export function choice<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z.enum(names, { error: `one of ${names.join(', ')}` });
}

/** A `~` that nobody expands would become a folder of that name. */
export function path() {
  return pattern(/^(?!~(?:\/|$)).+$/s, 'a path, without ~');
}

/** What people name things by. It becomes a key of records, where a name that every object has would find something. */
export function name() {
  const wanted = '1 to 63 letters, digits, dots, dashes and underscores, a letter or digit first';
  return pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, wanted).refine((given) => !(given in {}), { error: `${wanted}, and no word of JavaScript` });
}

/** A file that holds a secret. What looks like the secret itself would end up in messages as the name of a file. */
export function secretFile() {
  return pattern(/^(?!~(?:\/|$)|[a-z][a-z\d+.-]*:\/\/|xox[a-z]-|xapp-|whsec_|gh[a-z]_|github_pat_|glpat-|[\da-f]{32}$)[^\r\n]+$/i, 'the path of a file that holds the secret, without ~');
}

/** Of a server, in the clear: so without anything in it that opens a door. */
export function plainUrl() {
  return parsed('an http:// or https:// URL without user, password, ? and #', (given) => (isWebUrl(given) && !/[?#]/.test(given) ? given : undefined));
}

export function isWebUrl(given: string): boolean {
  const url = /^https?:\/\/\S+$/i.test(given) ? URL.parse(given) : null;
  return url !== null && url.username === '' && url.password === '';
}

/** Of names in Kubernetes that must be good for a host. */
export function label() {
  return pattern(/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/, 'a name of 1 to 63 small letters, digits and dashes');
}

/** Numbers and truth values are texts in flags and variables, and often in files that a template made. */
export function count(least: number, most: number) {
  const wanted = `a whole number from ${least} to ${most}`;
  const read = (value: unknown): unknown => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value);
  return z.preprocess(read, z.int({ error: wanted }).min(least, { error: wanted }).max(most, { error: wanted }));
}

export function truth() {
  const words: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };
  const read = (value: unknown): unknown => (typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : value);
  return z.preprocess(read, z.boolean({ error: 'true or false' }));
}

/** One text is a list of its lines: a variable has no other way. */
export function list<Item extends z.ZodType>(item: Item) {
  const read = (value: unknown): unknown => (typeof value === 'string' ? value.split('\n').filter((line) => line !== '') : value);
  return z.preprocess(read, z.array(item, { error: 'a list' }));
}

/** An empty list would match nothing, and is rather a slip. */
export function some<Item extends z.ZodType>(item: Item, wanted: string) {
  return z.array(item, { error: wanted }).min(1, { error: wanted });
}

/** A mapping of these keys and no others. */
export function mapping<Shape extends z.core.$ZodLooseShape>(shape: Shape, wanted: string) {
  return z.strictObject(shape, { error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : wanted) });
}

/** A list in which no two have the same name. */
export function named<Item extends z.ZodType<{ readonly name: string }>>(item: Item, what: string) {
  return z.array(item, { error: `a list of ${what}s` }).superRefine((items, context) => {
    for (const [index, { name: own }] of items.entries()) {
      const isTwin = items.findIndex((other) => other.name === own) !== index;
      if (isTwin) context.addIssue({ code: 'custom', message: `a name that no other ${what} has`, path: [index, 'name'], params: { got: shownText(own) } });
    }
  });
}

/** In milliseconds. */
export function duration(least: string, most: string) {
  return parsed(`a duration from ${least} to ${most}, such as 30s, 5m or 1h30m`, (value) => {
    const ms = orUndefined(() => parseDuration(value));
    return ms !== undefined && ms >= parseDuration(least) && ms <= parseDuration(most) ? ms : undefined;
  });
}

export function parsed<Value>(wanted: string, parse: (text: string) => Value | undefined) {
  return z.string({ error: wanted }).transform((given, context): Value => {
    const value = parse(given);
    if (value !== undefined) return value;
    context.issues.push({ code: 'custom', message: wanted, input: given });
    return z.NEVER;
  });
}

/** For what says no by throwing. */
export function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SetpointError) return undefined;
    throw error;
  }
}

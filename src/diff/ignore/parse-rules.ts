import { isList, isObject, stringifyJson, type Json, type JsonObject } from '../../model/index.ts';
import { globOf } from './glob.ts';
import { createIgnoreRules, type CompiledRule, type IgnoreRules } from './ignore-rules.ts';
import { listFields, readEntry, type ListField } from './read-entry.ts';
import { Refusal } from './refusal.ts';

type TextField = 'group' | 'kind' | 'name' | 'namespace';

/**
 * A rule as people write it, in Argo CD's words and one of our own: `paths`. It is about the objects that fit all of `group`
 * (empty: the core group), `kind`, `name` and `namespace`, each of which may have stars and where it is left out means any.
 */
type IgnoreRule = { readonly [field in TextField]?: string } & { readonly [field in ListField]?: readonly string[] };

const textFields: readonly TextField[] = ['group', 'kind', 'name', 'namespace'];
const knownFields: readonly string[] = [...textFields, ...listFields];

/** Each error begins with the place in the list: `[0].jsonPointers[1]: …`. */
export type ParsedIgnoreRules =
  | { readonly type: 'rules'; readonly rules: IgnoreRules }
  | { readonly type: 'refused'; readonly errors: readonly string[] };

/** All rules, or everything that is wrong with them: a rule that is dropped or read otherwise than meant hides drift. */
export function parseIgnoreRules(rules: Json): ParsedIgnoreRules {
  if (rules !== null && !isList(rules)) return { type: 'refused', errors: [`wanted a list of rules, got ${shown(rules)}`] };
  const errors: string[] = [];
  const compiled = (rules ?? []).flatMap((rule, index) => {
    const read = readRule(rule, (problem) => errors.push(`[${index}]${problem}`));
    return read === undefined ? [] : [read];
  });
  return errors.length > 0 ? { type: 'refused', errors } : { type: 'rules', rules: createIgnoreRules(compiled) };
}

type Report = (problem: string) => void;

function readRule(rule: Json, report: Report): CompiledRule | undefined {
  if (!isObject(rule)) {
    report(`: wanted a rule such as {"kind": "Deployment", "jsonPointers": ["/spec/replicas"]}, got ${shown(rule)}`);
    return undefined;
  }
  const unknown = Object.keys(rule).filter((field) => !knownFields.includes(field));
  for (const field of unknown) report(`.${field}: a rule has no such field; wanted one of ${knownFields.join(', ')}`);
  const written = { ...readTexts(rule, report), ...readLists(rule, report) };
  const entries = listFields.flatMap((field) => (written[field] ?? []).map((text, at) => ({ field, text, at })));
  if (entries.length === 0) report(`: ignores nothing; wanted at least one of ${listFields.join(', ')}`);
  const read = entries.map(({ field, text, at }) => {
    try {
      return readEntry(field, text);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      report(`.${field}[${at}]: ${error.message}; got ${shown(text)}`);
      return { paths: [], managers: [] };
    }
  });
  return {
    written,
    matches: textFields.flatMap((field) => (written[field] === undefined ? [] : [{ field, glob: globOf(written[field]) }])),
    paths: read.flatMap(({ paths }) => paths),
    managers: read.flatMap(({ managers }) => managers),
  };
}

function readTexts(rule: JsonObject, report: Report): Pick<IgnoreRule, TextField> {
  return fromFields(textFields, (field) => {
    const text = valueOf(rule, field);
    // As in Argo CD, an empty name or namespace is any.
    if (text === undefined || (text === '' && (field === 'name' || field === 'namespace'))) return undefined;
    if (typeof text === 'string' && !/[?[\]{}]/.test(text) && (text !== '' || field === 'group')) return text;
    report(`.${field}: wanted the ${field} of objects, in which * is the only wildcard, got ${shown(text)}`);
    return undefined;
  });
}

function readLists(rule: JsonObject, report: Report): Pick<IgnoreRule, ListField> {
  return fromFields(listFields, (field) => {
    const list = valueOf(rule, field);
    if (list === undefined) return undefined;
    if (isList(list) && list.every((text) => typeof text === 'string')) return list;
    report(`.${field}: wanted a list of strings, got ${shown(list)}`);
    return undefined;
  });
}

function fromFields<Field extends string, Value>(fields: readonly Field[], read: (field: Field) => Value | undefined): { [field in Field]?: Value } {
  const entries = fields.map((field) => [field, read(field)] as const).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [field in Field]?: Value };
}

/** Null is how YAML says that nothing is given. */
function valueOf(rule: JsonObject, field: string): Json | undefined {
  return Object.hasOwn(rule, field) ? (rule[field] ?? undefined) : undefined;
}

const longestShown = 200;

function shown(value: Json): string {
  const text = stringifyJson(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

import { parseIgnoreRules } from '../diff/index.ts';
import { childOf, isList, isObject, type Json, type JsonObject } from '../model/index.ts';
import type { Converted, Difference } from './difference.ts';

const selectors: ReadonlySet<string> = new Set(['group', 'kind', 'name', 'namespace']);
const lists = ['jsonPointers', 'jqPathExpressions', 'managedFieldsManagers', 'paths'] as const;

interface ImportedRules extends Converted<readonly Json[]> {
  /** Whether something that was to be left alone no longer is. */
  readonly isLost: boolean;
}

/** The rules that can be read here. An entry that cannot is left out, and named: what it hid is shown. */
export function importIgnoreRules(rules: readonly Json[]): ImportedRules {
  const imported = rules.map((rule, index) => importRule(rule, `spec.ignoreDifferences[${index}]`));
  const differences = imported.flatMap((rule) => rule.differences);
  return { value: imported.flatMap(({ value }) => value ?? []), differences, isLost: differences.some(({ type }) => type === 'left-out') };
}

function importRule(rule: Json, at: string): Converted<Json | undefined> {
  const leftOut = (path: string, why: string): Difference => ({ path, type: 'left-out', message: `${why}; what it hid is reported until a rule says it otherwise` });
  if (!isObject(rule)) return { value: undefined, differences: [leftOut(at, 'is no rule')] };
  const chosen = Object.fromEntries(Object.entries<Json>(rule).filter(([name, value]) => selectors.has(name) && value !== null));
  const problem = problemOf({ ...chosen, jsonPointers: ['/spec'] });
  if (problem !== undefined) return { value: undefined, differences: [leftOut(at, problem)] };
  const kept: Record<string, readonly Json[]> = {};
  const differences: Difference[] = [];
  for (const name of lists) {
    const entries = childOf(rule, name);
    for (const [index, entry] of (isList(entries) ? entries : []).entries()) {
      const fault = problemOf({ ...chosen, [name]: [entry] });
      if (fault === undefined) kept[name] = [...(kept[name] ?? []), entry];
      else differences.push(leftOut(`${at}.${name}[${index}]`, fault));
    }
  }
  if (Object.keys(kept).length === 0) return { value: undefined, differences: differences.length > 0 ? differences : [{ path: at, type: 'rewritten', message: 'names no field, so it is left out: it ignored nothing' }] };
  return withGroup({ value: { ...chosen, ...kept }, differences }, at);
}

/** Without a group a rule is about the core group in Argo CD, and about any here. */
function withGroup({ value, differences }: Converted<JsonObject>, at: string): Converted<JsonObject> {
  if (Object.hasOwn(value, 'group')) return { value, differences };
  const message = 'is written as "": left out, it is the core group in Argo CD and any group here';
  return { value: { group: '', ...value }, differences: [...differences, { path: `${at}.group`, type: 'rewritten', message }] };
}

/** What keeps a rule from being read, without its place. */
function problemOf(rule: JsonObject): string | undefined {
  const parsed = parseIgnoreRules([rule]);
  if (parsed.type === 'rules') return undefined;
  return parsed.errors.map((error) => error.replace(/^\[0\](?:\.(\w+)(?:\[0\])?)?: /, (_, field: string | undefined) => (field !== undefined && selectors.has(field) ? `${field}: ` : ''))).join('; ');
}

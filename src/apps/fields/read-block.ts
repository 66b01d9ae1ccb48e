import { childOf, isList, isObject, shownText, type Json, type JsonObject } from '../../model/index.ts';
import type { Report } from '../report.ts';
import { checkValue } from './check-value.ts';
import type { BlockField, Field } from './field.ts';

interface Place {
  /** `spec.source` */
  readonly at: string;
  readonly field: BlockField;
  /** `left`: fields that the table does not have are nobody's concern. */
  readonly others?: 'named' | 'left';
}

/** The fields of a block that its table knows, as far as they hold what they should. Everything else is reported. */
export function readBlock(block: JsonObject, { at, field: { fields, required = [] }, others = 'named' }: Place, report: Report): JsonObject {
  for (const name of required) if (isNothing(childOf(block, name))) report.mistake(`${at}.${name}`, 'a value is wanted, got nothing');
  const values: Record<string, Json> = {};
  for (const [name, value] of Object.entries(block)) {
    // Null is how YAML says that nothing is given.
    if (value === null) continue;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const read = field === undefined ? undefined : readField(value, { at: `${at}.${name}`, field }, report);
    if (read !== undefined) values[name] = read;
    if (field === undefined && others === 'named') report.warning(`${at}${fieldName(name)}`, 'is not a field of an Application, and has no effect');
  }
  return values;
}

function readField(value: Json, { at, field }: { readonly at: string; readonly field: Field }, report: Report): Json | undefined {
  if (field.type === 'unsupported' || field.type === 'refused') {
    if (!saysSomething(value)) return undefined;
    if (field.type === 'refused') report.mistake(at, `is not supported: ${field.why}`);
    else report.warning(at, `is not supported, and has no effect: ${field.why}`);
    return undefined;
  }
  const problem = checkValue(value, field);
  if (problem !== undefined) {
    report.mistake(at, problem);
    return undefined;
  }
  if (field.type === 'block') return readBlock(value as JsonObject, { at, field }, report);
  // Those that cannot be read leave an empty one behind: the others keep their numbers.
  if (field.type === 'blocks') return (value as readonly Json[]).map((item, index) => readField(item, { at: `${at}[${index}]`, field: field.item }, report) ?? {});
  return value;
}

// Deeper than any field that we know of, and far from the end of the stack.
const deepest = 20;

/** Whether a value is more than another way to leave the field out. */
export function saysSomething(value: Json, depth = 0): boolean {
  if (isObject(value) || isList(value)) return depth === deepest || Object.values(value).some((item) => saysSomething(item, depth + 1));
  return value !== null && value !== false && value !== '';
}

function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** Whatever someone calls a field, a message stays on one line. */
function fieldName(name: string): string {
  return /^[\w-]{1,63}$/.test(name) ? `.${name}` : `[${shownText(name)}]`;
}

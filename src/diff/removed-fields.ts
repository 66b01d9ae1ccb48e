import { canonicalJson, isList, isObject, parseJsonOrUndefined, type Json, type JsonObject, type Schema } from '../model/index.ts';
import { listKeys } from './list-keys.ts';
import { fieldOf, type Answer } from './walk.ts';

interface Owned {
  readonly ours: JsonObject;
  /** The same place in what every other manager owns. */
  readonly others: readonly JsonObject[];
}

/**
 * Whether an apply of `desired` would take away something that we own and it no longer has. What somebody else owns too is
 * only let go of. `different` where it would go for certain, `unsure` where a default may take its place.
 */
export function removedFields(desired: Json | undefined, owned: Owned, schema: Schema): Answer {
  let answer: Answer = 'equal';
  for (const [member, below] of Object.entries<Json>(owned.ours)) {
    if (member === '.') continue;
    if (!isObject(below)) return 'unsure';
    const others = owned.others.flatMap((other) => (isObject(other[member]) ? [other[member]] : []));
    const child = follow(desired, member, schema);
    if (child === 'unreadable') return 'unsure';
    const goes = child.value === undefined && isOwned(below) && !others.some(isOwned);
    const here = goes ? child.gone : removedFields(child.value, { ours: below, others }, child.schema);
    if (here === 'different') return 'different';
    if (here === 'unsure') answer = 'unsure';
  }
  return answer;
}

/** Whether a node of FieldsV1 is owned itself, and not only something below it. */
function isOwned(fields: JsonObject): boolean {
  return Object.keys(fields).length === 0 || Object.hasOwn(fields, '.');
}

interface Child {
  readonly value: Json | undefined;
  readonly schema: Schema;
  /** What it means if desired has nothing here: fields of a type may be defaulted, keys of maps and items of lists cannot. */
  readonly gone: Answer;
}

const any: Schema = { type: 'any' };

function follow(desired: Json | undefined, member: string, schema: Schema): Child | 'unreadable' {
  const [kind, name] = [member.slice(0, 2), member.slice(2)];
  if (kind === 'f:') {
    const field = fieldOf(schema, name);
    const value = isObject(desired) && Object.hasOwn(desired, name) ? desired[name] : undefined;
    return { value, schema: field?.schema ?? any, gone: schema.type === 'map' ? 'different' : 'unsure' };
  }
  if ((kind !== 'k:' && kind !== 'v:') || schema.type !== 'list' || schema.relation === 'atomic') return 'unreadable';
  const items = listKeys(isList(desired) ? desired : [], { relation: schema.relation, keys: schema.keys, element: schema.element });
  const key = parseJsonOrUndefined(name);
  if (items === undefined || key === undefined) return 'unreadable';
  return { value: items.get(canonicalJson(key))?.value, schema: schema.element.schema, gone: 'different' };
}

import { canonicalJson, childOf, isList, isObject, parseJsonOrUndefined, type Json, type JsonObject, type Schema } from '../model/index.ts';
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
  const follow = followIn(desired, schema);
  for (const [member, below] of Object.entries<Json>(owned.ours)) {
    if (member === '.') continue;
    if (!isObject(below)) return 'unsure';
    const child = follow(member);
    if (child === 'unreadable') return 'unsure';
    // Most members are leaves that Git still has.
    if (child.value !== undefined && Object.keys(below).length === 0) continue;
    const others = owned.others.flatMap((other) => (isObject(other[member]) ? [other[member]] : []));
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

/** Where the members of one place lead. What identifies the items of a list is worked out once for all of them. */
function followIn(desired: Json | undefined, schema: Schema): (member: string) => Child | 'unreadable' {
  const isKeyed = schema.type === 'list' && schema.relation !== 'atomic';
  const items = isKeyed ? listKeys(isList(desired) ? desired : [], { ...schema, relation: schema.relation === 'set' ? 'set' : 'map' }) : undefined;
  return (member) => {
    const [kind, name] = [member.slice(0, 2), member.slice(2)];
    if (kind === 'f:') {
      const field = fieldOf(schema, name);
      return { value: childOf(desired, name), schema: field?.schema ?? any, gone: schema.type === 'map' ? 'different' : 'unsure' };
    }
    if (items === undefined || schema.type !== 'list' || (kind !== 'k:' && kind !== 'v:')) return 'unreadable';
    const found = (value: Json | undefined): Child => ({ value, schema: schema.element.schema, gone: 'different' });
    // The server writes it as we do, so that it need not be read to be found.
    const item = items.get(name);
    if (item !== undefined) return found(item.value);
    const key = parseJsonOrUndefined(name);
    return key === undefined ? 'unreadable' : found(items.get(canonicalJson(key))?.value);
  };
}

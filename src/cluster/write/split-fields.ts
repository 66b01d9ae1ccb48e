import { childOf, isObject, type Json, type JsonObject } from '../../model/index.ts';

interface Parts {
  readonly named: JsonObject;
  readonly rest: JsonObject;
}

/** Labels and annotations one by one; below, and elsewhere, a field goes with all that is in it: half a strategy is no strategy. */
const depths: Readonly<Record<string, number>> = { 'f:metadata': 2 };
const otherDepth = 1;

/** A set of fields as the server keeps it, in two: those that an object names, and the others. */
export function splitFields(fields: JsonObject, object: JsonObject): Parts {
  return split(fields, object, (member) => depths[member] ?? otherDepth);
}

function split(fields: JsonObject, value: Json, depthOf: (member: string) => number): Parts {
  const named: Record<string, Json> = {};
  const rest: Record<string, Json> = {};
  for (const [member, below] of Object.entries<Json>(fields)) {
    if (member === '.') continue;
    const there = member.startsWith('f:') ? childOf(value, member.slice(2)) : undefined;
    const depth = depthOf(member);
    if (there === undefined) rest[member] = below;
    else if (depth === 0 || !isObject(there) || !isObject(below) || Object.keys(below).length === 0) named[member] = below;
    else {
      const parts = split(below, there, () => depth - 1);
      if (Object.keys(parts.named).length > 0) named[member] = parts.named;
      if (Object.keys(parts.rest).length > 0) rest[member] = parts.rest;
    }
  }
  // The place itself stays with those who keep something in it.
  const place = fields['.'];
  if (place !== undefined) (Object.keys(rest).length > 0 ? rest : named)['.'] = place;
  return { named, rest };
}

export function joinFields(sets: readonly JsonObject[]): JsonObject {
  const joined: Record<string, Json> = {};
  for (const [member, below] of sets.flatMap((set) => Object.entries<Json>(set))) {
    const known = joined[member];
    joined[member] = isObject(known) && isObject(below) ? joinFields([known, below]) : below;
  }
  return joined;
}

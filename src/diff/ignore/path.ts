import { isList, isObject, valueAt, type Json } from '../../model/index.ts';
import { matchesGlob, type Glob } from './glob.ts';
import type { Sides } from './place.ts';

/** What an item must have to be meant. */
export interface Condition {
  /** Keys from the item down; none: the item itself. */
  readonly field: readonly string[];
  /** Compared with the string form of a scalar. `present`: anything but null. */
  readonly wants: Glob | 'present';
}

export type Step =
  /** The entry of a map. */
  | { readonly type: 'key'; readonly key: string }
  /** The entry of a map, or the item of a list at that index. */
  | { readonly type: 'token'; readonly key: string }
  /** Entries of a map by their keys, scalar items of a list by their values. */
  | { readonly type: 'match'; readonly glob: Glob }
  /** Items of a list and entries of a map by what they hold; without conditions, all of them. */
  | { readonly type: 'where'; readonly conditions: readonly Condition[] }
  /** Any number of levels, none included. */
  | { readonly type: 'deep' };

/** From here down to an ignored place. */
export interface Path {
  readonly step: Step;
  /** Undefined: the step leads to the place. */
  readonly rest: Path | undefined;
}

export function pathOf(steps: readonly Step[]): Path | undefined {
  return steps.reduceRight<Path | undefined>((rest, step) => ({ step, rest }), undefined);
}

export const everyItem: Step = { type: 'where', conditions: [] };

export function leadsToEntry(step: Step, key: string, sides: Sides): boolean {
  switch (step.type) {
    case 'key':
    case 'token':
      return step.key === key;
    case 'match':
      return matchesGlob(step.glob, key);
    case 'where':
      return holds(step.conditions, sides);
    case 'deep':
      return true;
  }
}

export function leadsToItem(step: Step, sides: Sides): boolean {
  switch (step.type) {
    case 'key':
    case 'token':
      return false;
    case 'match':
      return holds([{ field: [], wants: step.glob }], sides);
    case 'where':
      return holds(step.conditions, sides);
    case 'deep':
      return true;
  }
}

/** On both sides, where there are both: an item that one side has changed into a meant one is a change to tell. */
function holds(conditions: readonly Condition[], { object, live }: Sides): boolean {
  return [object, live].every((item) => item === undefined || conditions.every((condition) => fulfils(item, condition)));
}

function fulfils(item: Json, { field, wants }: Condition): boolean {
  const value = valueAt(item, field);
  if (value === undefined || value === null) return false;
  if (wants === 'present') return true;
  return !isList(value) && !isObject(value) && matchesGlob(wants, String(value));
}

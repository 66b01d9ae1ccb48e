import type { Json, KubeObject, Schema } from '../../model/index.ts';
import { holdersBelow, holdersOf, holdersOfItems, isOurs, type Holder } from '../holders.ts';
import { fieldOf } from '../walk.ts';
import { isWhole } from '../wholes.ts';
import type { Sides } from './place.ts';

/** What becomes of an ignored place that only live has, by where it is. */
export interface Position {
  /** It is put in. */
  readonly fillsIn: boolean;
  /** It is, or something below it may be. */
  readonly mayFillIn: boolean;
  /** It is as live has it if anything in it is ignored. */
  readonly isKeptWhole: boolean;
  entry(key: string): Position;
  items(live: readonly Json[]): (index: number | undefined) => Position;
  /** The same place, once it is known what is there. */
  at(sides: Sides): Position;
}

export const fillsEverywhere: Position = constant(true);
export const fillsNowhere: Position = constant(false);

function constant(fillsIn: boolean): Position {
  const position: Position = { fillsIn, mayFillIn: fillsIn, isKeptWhole: false, entry: () => position, items: () => () => position, at: () => position };
  return position;
}

const any: Schema = { type: 'any' };

/**
 * What an apply would take away is put in: what is in a value that Git has and the server replaces whole, and what is held by nobody
 * but us. Anything else stays if Git does not mention it.
 */
export function fillsWhatWouldGo(live: KubeObject, schema: Schema): Position {
  return wouldGo(schema, holdersOf(live));
}

function wouldGo(schema: Schema, holders: readonly Holder[]): Position {
  const position: Position = {
    fillsIn: holders.length > 0 && holders.every(isOurs),
    mayFillIn: holders.some(isOurs),
    isKeptWhole: false,
    entry: (key) => wouldGo(fieldOf(schema, key)?.schema ?? any, holdersBelow(holders, key)),
    items(live) {
      const holdersAt = holdersOfItems(holders, live);
      const element = schema.type === 'list' ? schema.element.schema : any;
      return (index) => wouldGo(element, index === undefined ? [] : holdersAt(index));
    },
    at: ({ object, live }) => (object !== undefined && isWhole(schema, object ?? live) ? fillsEverywhere : position),
  };
  return position;
}

/** What is to stay as it is live is put in, and with it the whole of a value that the server replaces whole: half of one and half of the other is what nobody wants. */
export function keepsWholes(schema: Schema): Position {
  const position: Position = {
    fillsIn: true,
    mayFillIn: true,
    isKeptWhole: false,
    entry: (key) => keepsWholes(fieldOf(schema, key)?.schema ?? any),
    items: () => () => keepsWholes(schema.type === 'list' ? schema.element.schema : any),
    at: ({ object, live }) => (isWhole(schema, object ?? live) ? { ...fillsEverywhere, isKeptWhole: true } : position),
  };
  return position;
}

import { isList, isObject, type Json } from '../../model/index.ts';
import { durationMs } from '../duration.ts';
import type { HeldField } from './field.ts';

/** What is wrong with the value of a field, the values within it aside; undefined where nothing is. */
export function checkValue(value: Json, field: HeldField): string | undefined {
  const { wanted, holds } = checks[field.type];
  if (!holds(value)) return `${wanted} is wanted, got ${describe(value)}`;
  return boundsOf(value, field);
}

const isText = (value: Json): value is string => typeof value === 'string';
const isTexts = (value: Json): boolean => isList(value) && value.every(isText);
const isTextMap = (value: Json): boolean => isObject(value) && Object.values(value).every(isText);
const isInteger = (value: Json): boolean => Number.isSafeInteger(value);
const isCount = (value: Json): boolean => /^\d+$/.test(typeof value === 'number' ? String(value) : isText(value) ? value : '');

const checks: Readonly<Record<HeldField['type'], { readonly wanted: string; readonly holds: (value: Json) => boolean }>> = {
  text: { wanted: 'a text', holds: isText },
  time: { wanted: 'a time', holds: (value) => isText(value) && !Number.isNaN(Date.parse(value)) },
  duration: { wanted: 'a duration such as 30s, 5m or 1h30m', holds: (value) => isText(value) && durationMs(value) !== undefined },
  integer: { wanted: 'a whole number', holds: isInteger },
  count: { wanted: 'a whole number', holds: isCount },
  flag: { wanted: 'true or false', holds: (value) => typeof value === 'boolean' },
  texts: { wanted: 'a list of texts', holds: isTexts },
  textMap: { wanted: 'a map of texts', holds: isTextMap },
  free: { wanted: 'a map', holds: isObject },
  frees: { wanted: 'a list of maps', holds: (value) => isList(value) && value.every(isObject) },
  block: { wanted: 'a map', holds: isObject },
  blocks: { wanted: 'a list', holds: isList },
};

function boundsOf(value: Json, field: HeldField): string | undefined {
  switch (field.type) {
    case 'text':
      if (field.oneOf?.includes(value as string) === false) return `one of ${field.oneOf.join(', ')} is wanted, got another text`;
      return tooMany((value as string).length, field.longest, 'characters');
    case 'duration': {
      const { leastSeconds = 0 } = field;
      return (durationMs(value as string) ?? 0) < leastSeconds * 1000 ? `a duration of at least ${leastSeconds}s is wanted, got a shorter one` : undefined;
    }
    case 'integer':
      return field.least !== undefined && (value as number) < field.least ? `a whole number of at least ${field.least} is wanted, got a smaller one` : undefined;
    case 'texts':
    case 'frees':
    case 'blocks':
      return tooMany((value as readonly Json[]).length, field.most, 'entries');
    case 'block':
    case 'count':
    case 'flag':
    case 'free':
    case 'textMap':
    case 'time':
      return undefined;
  }
}

function tooMany(got: number, most: number | undefined, what: string): string | undefined {
  return most !== undefined && got > most ? `at most ${most} ${what} are wanted, got ${got}` : undefined;
}

function describe(value: Json): string {
  if (isList(value) || isObject(value)) {
    const odd = Object.values(value).find((item) => !isText(item));
    return `${isList(value) ? 'a list' : 'a map'}${odd === undefined || isList(odd) || isObject(odd) ? '' : ` with ${describe(odd)} in it`}`;
  }
  return typeof value === 'string' ? 'a text' : typeof value === 'boolean' ? 'true or false' : 'a number';
}

import type { Json } from '../../model/index.ts';
import { exactDouble, exactInteger } from './go-numbers.ts';
import { limits } from './limits.ts';
import type { DocumentMeter } from './meter.ts';
import { Refusal, type Warn } from './yaml-finding.ts';

export interface JsonReading {
  readonly from: number;
  readonly meter: DocumentMeter;
  readonly warn: Warn;
}

/** One JSON value of a text that may hold more. `broken` is no refusal: kubectl may then try YAML. */
export type JsonRead =
  | { readonly type: 'value'; readonly value: Json; readonly end: number }
  | { readonly type: 'refused'; readonly refusal: Refusal; readonly end?: number }
  | { readonly type: 'end' }
  | { readonly type: 'broken' };

class Broken extends Error {}

/** Reads as Go's encoding/json does: the last of equal keys counts, integers within int64 are exact. */
export function readJson(text: string, { from, meter, warn }: JsonReading): JsonRead {
  const space = /[ \t\r\n]*/y;
  const literal = /true|false|null/y;
  const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
  let at = from;
  // Found only once the whole value has proved to be JSON.
  let beyond: Refusal | undefined;

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const next = (): string | undefined => {
    take(space);
    return text[at];
  };
  const expect = (character: string): void => {
    if (next() !== character) throw new Broken();
    at += 1;
  };

  const readString = (): string => {
    const start = at;
    if (next() !== '"') throw new Broken();
    do at = text.indexOf('"', at + 1);
    while (at !== -1 && isEscaped(text, at));
    if (at === -1) throw new Broken();
    at += 1;
    try {
      const parsed: unknown = JSON.parse(text.slice(start, at));
      return String(parsed).toWellFormed();
    } catch {
      throw new Broken();
    }
  };

  const readItems = (close: string, readItem: () => void): void => {
    at += 1;
    if (next() !== close) {
      do readItem();
      while (next() === ',' && (at += 1) > 0);
    }
    expect(close);
  };

  const readObject = (depth: number): Json => {
    const object = new Map<string, Json>();
    readItems('}', () => {
      next();
      const offset = at;
      const key = readString();
      if (object.has(key)) warn({ code: 'duplicate-key', offset, message: `the key ${key} is there twice: the last one counts` });
      expect(':');
      object.set(key, readValue(depth + 1));
    });
    return Object.fromEntries(object);
  };

  const readList = (depth: number): Json => {
    const items: Json[] = [];
    readItems(']', () => items.push(readValue(depth + 1)));
    return items;
  };

  const readValue = (depth: number): Json => {
    const first = next();
    if (depth > limits.depth) throw new Refusal('too-deep', at, `nested deeper than ${limits.depth} levels`);
    meter.countNode(at, 'written');
    if (first === '{') return readObject(depth);
    if (first === '[') return readList(depth);
    if (first === '"') return readString();
    const offset = at;
    const digits = take(number);
    if (digits !== undefined) {
      const value = toNumber(digits);
      if (value === undefined) beyond ??= new Refusal('invalid-number', offset, 'a number is beyond what a double holds');
      return value ?? null;
    }
    const word = take(literal);
    if (word === undefined) throw new Broken();
    return word === 'null' ? null : word === 'true';
  };

  try {
    if (next() === undefined) return { type: 'end' };
    const value = readValue(0);
    return beyond === undefined ? { type: 'value', value, end: at } : { type: 'refused', refusal: beyond, end: at };
  } catch (error) {
    if (error instanceof Broken) return { type: 'broken' };
    if (error instanceof Refusal) return { type: 'refused', refusal: error };
    throw error;
  }
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

const integer = /^-?\d{1,19}$/;

function toNumber(text: string): number | bigint | undefined {
  if (integer.test(text)) {
    const value = BigInt(text);
    if (BigInt.asIntN(64, value) === value) return exactInteger(value);
  }
  const double = Number(text);
  return Number.isFinite(double) ? exactDouble(double) : undefined;
}

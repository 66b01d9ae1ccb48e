import { deflateSync, inflateSync } from 'node:zlib';
import { isObject, parseJsonOrUndefined, stringifyJson, type AgreedState, type AgreedStates, type Json, type ResourceKey } from '../model/index.ts';

// The API server takes objects of 1.5 MiB, and everybody who watches Applications gets all of it.
const longest = 512 * 1024;
const mostInflated = 64 * 2 ** 20;

/**
 * What was agreed on, as one short text. Where it does not fit, only that Git has not changed can be told from it, and not which
 * live field has; undefined where not even that fits.
 */
export function memoryText(agreed: AgreedStates): string | undefined {
  const present = known.get(agreed);
  if (present !== undefined) return present.text;
  const text = textOf(agreed);
  known.set(agreed, { text });
  return text;
}

// It is the same value until something else is agreed on, which is rare.
const known = new WeakMap<AgreedStates, { readonly text: string | undefined }>();

function textOf(agreed: AgreedStates): string | undefined {
  const whole = compress(agreed as unknown as Json);
  if (whole.length <= longest) return whole;
  const short = Object.fromEntries(Object.entries(agreed).map(([key, { desired }]) => [key, { desired, live: {} }]));
  const text = compress(short);
  return text.length <= longest ? text : undefined;
}

/** Any value, as one short text. The same text while it is the same value. */
export function compressedText(value: object): string {
  const present = texts.get(value) ?? compress(value as unknown as Json);
  texts.set(value, present);
  return present;
}

const texts = new WeakMap<object, string>();

/** Undefined where the text cannot be read. */
export function valueIn(text: string): Json | undefined {
  return parseJsonOrUndefined(inflate(text));
}

/** Nothing where the text cannot be read: then the next look is a first look. */
export function agreedIn(text: string): AgreedStates {
  const stored = parseJsonOrUndefined(inflate(text));
  if (!isObject(stored)) return {};
  const sound = Object.entries(stored).filter(([, state]) => isObject(state) && typeof state['desired'] === 'string' && isObject(state['live'] ?? null));
  return Object.fromEntries(sound) as unknown as Record<ResourceKey, AgreedState>;
}

function compress(value: Json): string {
  return deflateSync(stringifyJson(value), { level: 6 }).toString('base64');
}

function inflate(text: string): string {
  try {
    return inflateSync(Buffer.from(text, 'base64'), { maxOutputLength: mostInflated }).toString();
  } catch {
    return '';
  }
}

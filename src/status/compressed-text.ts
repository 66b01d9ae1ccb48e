import { deflateSync, inflateSync } from 'node:zlib';
import { stringifyJson, type Json } from '../model/index.ts';

const mostInflated = 64 * 2 ** 20;

/** Any value, as one short text. */
export function compress(value: object): string {
  return deflateSync(stringifyJson(value as unknown as Json), { level: 6 }).toString('base64');
}

/** Empty where the text cannot be read. */
export function inflate(text: string): string {
  try {
    return inflateSync(Buffer.from(text, 'base64'), { maxOutputLength: mostInflated }).toString();
  } catch {
    return '';
  }
}

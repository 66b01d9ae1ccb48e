import { createHmac } from 'node:crypto';
import { canonicalJson, type Json } from '../model/index.ts';

/** A hash that is the same for equal values. Keyed, so that a stored hash of a short secret cannot be guessed. */
export type Hash = (value: Json) => string;

export function hashWith(salt: string): Hash {
  return (value) => createHmac('sha256', salt).update(canonicalJson(value)).digest('hex').slice(0, 16);
}

import { createHash, createHmac } from 'node:crypto';
import { canonicalJson, type Json } from '../model/index.ts';
import type { Tag } from './mask.ts';

/** A hash that is the same for equal values. Keyed, so that a stored hash of a short secret cannot be guessed. */
export type Hash = (value: Json) => string;

export function hashWith(salt: string): Hash {
  return (value) => createHmac('sha256', salt).update(canonicalJson(value)).digest('hex').slice(0, 16);
}

/** Tags of values of Secrets: eight digits under a key that the caller makes anew in every process. */
export function tagWith(key: string): Tag {
  const hash = hashWith(key);
  return (value) => hash(value).slice(0, 8);
}

/** Names content for caches in memory; strong enough that two contents never share a name. */
export function contentName(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url');
}

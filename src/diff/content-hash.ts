import { hash } from 'node:crypto';
import { canonicalJson, type Json } from '../model/index.ts';
import type { Tag } from './mask.ts';

/** A hash that is the same for equal values. Keyed, so that a stored hash of a short secret cannot be guessed. */
export type Hash = (value: Json) => string;

export function hashWith(salt: string): Hash {
  return (value) => hash('sha256', `${salt} ${canonicalJson(value)}`, 'hex').slice(0, 16);
}

/** Tags of values of Secrets: eight digits under a key that the caller makes anew in every process. */
export function tagWith(key: string): Tag {
  const hashed = hashWith(key);
  return (value) => hashed(value).slice(0, 8);
}

/** Names content for caches in memory; strong enough that two contents never share a name. */
export function contentName(value: Json): string {
  return hash('sha256', canonicalJson(value), 'base64url');
}

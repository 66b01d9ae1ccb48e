import type { Json } from '../../model/index.ts';
import { exactDouble, float32Key } from './go-numbers.ts';
import type { GoEntry, GoValue } from './go-value.ts';
import { Refusal, type Warn } from './yaml-finding.ts';

/** What kubectl sends: every key a string, every number one that JSON can hold. */
export function toJson(value: GoValue, warn: Warn, offset = 0): Json {
  switch (value.kind) {
    case 'null':
      return null;
    case 'bool':
    case 'string':
    case 'int':
      return value.value;
    case 'uint':
      return exactDouble(Number(value.value));
    case 'float':
      if (!Number.isFinite(value.value)) throw new Refusal('invalid-number', offset, 'infinity and not-a-number have no JSON: quote them');
      return exactDouble(value.value);
    case 'list':
      return value.items.map((item) => toJson(item, warn, offset));
    case 'map':
      return toObject(value.entries, warn);
  }
}

function toObject(entries: readonly GoEntry[], warn: Warn): Json {
  const object = new Map<string, Json>();
  for (const entry of entries) {
    const key = keyOf(entry);
    // Go would go through its map in random order and keep either.
    if (object.has(key)) throw new Refusal('ambiguous-key', entry.offset, `two keys become ${key}, and kubectl keeps either at random`);
    if (entry.key.kind !== 'string' && key !== entry.text) {
      warn({ code: 'retyped-key', offset: entry.offset, message: `the key ${entry.text} is read as ${key}: quote it` });
    }
    object.set(key, toJson(entry.value, warn, entry.offset));
  }
  // Defines each property, so that __proto__ is a key like any other.
  return Object.fromEntries(object);
}

function keyOf({ key, offset }: GoEntry): string {
  switch (key.kind) {
    case 'string':
      return key.value;
    case 'bool':
    case 'int':
      return String(key.value);
    case 'float':
      return float32Key(key.value);
    case 'null':
    case 'uint':
      throw new Refusal('invalid-key', offset, `kubectl makes no key of ${key.kind === 'null' ? 'null' : 'an integer beyond int64'}: quote it`);
  }
}

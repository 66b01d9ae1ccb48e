import { childOf, isList, type Json, type Schema } from '../model/index.ts';
import { keysOf, pointerOf } from './json-pointer.ts';
import { fieldOf } from './walk.ts';

/** Whether the server replaces a value whole: an atomic one, or a list of which it does not know what tells its items apart. */
export function isWhole(schema: Schema, value: Json | undefined): boolean {
  if (isList(value)) return schema.type !== 'list' || schema.relation === 'atomic';
  return (schema.type === 'struct' || schema.type === 'map') && schema.atomic;
}

/** The outermost value on the way to a place that is replaced whole; the place itself where there is none. */
export function wholeAround(pointer: string, object: Json, schema: Schema): string {
  let [value, at]: [Json | undefined, Schema] = [object, schema];
  const keys = keysOf(pointer);
  for (const [depth, key] of keys.entries()) {
    if (isWhole(at, value)) return pointerOf(keys.slice(0, depth));
    at = at.type === 'list' ? at.element.schema : (fieldOf(at, key)?.schema ?? { type: 'any' });
    value = isList(value) ? value[Number(key)] : childOf(value, key);
  }
  return pointer;
}

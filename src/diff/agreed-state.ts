import { entriesOf, isList, type AgreedState, type Json, type KubeObject, type Patch, type Schema } from '../model/index.ts';
import { comparable } from './comparable.ts';
import type { Hash } from './content-hash.ts';
import { fieldSetOf } from './field-set.ts';
import { pointerOf } from './json-pointer.ts';

interface Agreement {
  readonly desired: KubeObject;
  readonly live: KubeObject;
  readonly hasStatus: boolean;
  readonly schema: Schema | undefined;
}

/** What to remember of a resource on which Git and the cluster agree. */
export function agreedStateOf({ desired, live, hasStatus, schema }: Agreement, hash: Hash): AgreedState {
  const state = { desired: hash(desired), live: leafHashes(comparable(live, { hasStatus }), hash) };
  return schema === undefined ? state : { ...state, fields: fieldSetOf(desired, schema) };
}

/** Whether the live values that a patch would replace are known to be other ones than those that were agreed on. */
export function liveMoved(agreed: AgreedState, now: AgreedState, patch: Patch): boolean {
  if (Object.keys(agreed.live).length === 0) return false;
  return patch.some(({ path }) => {
    const below = (pointer: string): boolean => pointer === path || pointer.startsWith(`${path}/`);
    const pointers = new Set([...Object.keys(agreed.live), ...Object.keys(now.live)].filter(below));
    return [...pointers].some((pointer) => agreed.live[pointer] !== now.live[pointer]);
  });
}

export function leafHashes(object: KubeObject, hash: Hash): Record<string, string> {
  const leaves: [string, string][] = [];
  const visit = (value: Json, pointer: string): void => {
    const children = isList(value) ? [...value.entries()] : entriesOf(value);
    if (children.length === 0) leaves.push([pointer, hash(value)]);
    for (const [key, child] of children) visit(child, pointer + pointerOf([String(key)]));
  };
  visit(object, '');
  return Object.fromEntries(leaves);
}

import { childOf, countsAsPeople, isList, isObject, type DriftMode, type Json, type KubeObject } from '../model/index.ts';
import { comparable } from './comparable.ts';
import { displayPath } from './display-path.ts';
import { foreignFields } from './foreign-fields.ts';
import { holdersBelow, holdersOf, holdersOfItems, isOurs, type Holder } from './holders.ts';
import { keysOf, pointerOf, valueAtKeys } from './json-pointer.ts';

/** Something that a sync is to take away by itself, because an apply leaves it. */
export interface Leftover {
  /** Into the object that an apply makes. */
  readonly pointer: string;
  /** What the place is called there. */
  readonly name: string;
  /** What is done about it, where a rule says so. */
  readonly drift?: DriftMode;
}

export function leftoversOf(predicted: KubeObject, pointers: readonly string[]): readonly Leftover[] {
  return pointers.map((pointer) => ({ pointer, name: displayPath(predicted, keysOf(pointer)) }));
}

/** Where they are in an object that was just applied. One that is not where it was, or that others than people hold by now, is left out. */
export function leftoversIn(applied: KubeObject, leftovers: readonly Leftover[]): readonly string[] {
  return leftovers.flatMap(({ pointer, name }) => {
    const keys = keysOf(pointer);
    const isThere = valueAtKeys(applied, keys) !== undefined && displayPath(applied, keys) === name;
    return isThere && isHeldByHand(applied, keys) ? [pointer] : [];
  });
}

/** Pointers to what people added, Git does not mention and nobody else holds: it can be taken away again. */
export function revertible(desired: KubeObject, live: KubeObject, { hasStatus }: { readonly hasStatus: boolean }): readonly string[] {
  return foreignFields(desired, live, comparable(live, { hasStatus }))
    .flatMap(({ path }) => removable(live, keysOf(path)))
    .map(pointerOf);
}

/** Held by people or by client-side apply only: nobody will miss it. */
export function isNobodys(holder: Holder): boolean {
  return !isOurs(holder) && holder.owner.operation === 'Update' && countsAsPeople(holder.owner.manager);
}

// Taken away, a restart would be another one.
const restartedAt = 'kubectl.kubernetes.io/restartedAt';
/** Who waits for an object, and what it goes with: to take these away may delete something. */
const lifetime: ReadonlySet<string> = new Set(['finalizers', 'ownerReferences']);

/** The place, or what of a map may go where not all of it may. */
function removable(live: KubeObject, keys: readonly string[]): readonly (readonly string[])[] {
  if ((keys[0] === 'metadata' && lifetime.has(keys[1] ?? '')) || keys.at(-1) === restartedAt) return [];
  const value = valueAtKeys(live, keys);
  if (isHeldByHand(live, keys) && !(isObject(value) && Object.hasOwn(value, restartedAt))) return [keys];
  return isObject(value) ? Object.keys(value).flatMap((key) => removable(live, [...keys, key])) : [];
}

function isHeldByHand(object: KubeObject, keys: readonly string[]): boolean {
  const holders = holdersAt(object, keys);
  return holders.length > 0 && holders.every(isNobodys);
}

export function holdersAt(object: KubeObject, keys: readonly string[]): readonly Holder[] {
  let holders = holdersOf(object);
  let value: Json | undefined = object;
  for (const key of keys) {
    holders = isList(value) ? holdersOfItems(holders, value)(Number(key)) : holdersBelow(holders, key);
    value = isList(value) ? value[Number(key)] : childOf(value, key);
  }
  return holders;
}

import type { CelInput } from '@bufbuild/cel';
import { isList, isObject, type Json } from '../../model/index.ts';

const largestInt = 2n ** 63n - 1n;

/** JSON as CEL sees it in Kubernetes: whole numbers are ints. Maps, because the library takes a key "constructor" for JavaScript's own. */
export function celValue(value: Json): CelInput {
  if (isList(value)) return value.map(celValue);
  if (isObject(value)) return new Map(Object.entries<Json>(value).map(([key, item]) => [key, celValue(item)]));
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'bigint') return value > largestInt || value < -largestInt ? Number(value) : value;
  return value;
}

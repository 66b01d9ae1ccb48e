import { sameValue, type KubeObject, type Schema } from '../model/index.ts';
import { comparable } from './comparable.ts';
import { keysOf, valueAtKeys } from './json-pointer.ts';
import { treeChanges } from './tree-changes.ts';

interface Tried {
  readonly live: KubeObject;
  readonly desired: KubeObject;
  readonly predicted: KubeObject;
  readonly hasStatus: boolean;
  readonly schema: Schema | undefined;
}

/** Pointers to differences where the server would not store what Git says: somebody rewrites it, perhaps anew each time. */
export function rewrittenPaths({ live, desired, predicted, hasStatus, schema }: Tried): readonly string[] {
  const [actual, wanted] = [comparable(live, { hasStatus }), comparable(predicted, { hasStatus })];
  return treeChanges({ live: actual, predicted: wanted, desired, held: live }, schema)
    .filter(({ ours, rewritten }) => ours && rewritten)
    .map(({ operation }) => operation.path);
}

/** Of those, the ones for which a second try of the same apply predicts something else again. */
export function volatilePaths(rewritten: readonly string[], first: KubeObject, second: KubeObject): ReadonlySet<string> {
  return new Set(rewritten.filter((path) => !sameValue(valueAtKeys(first, keysOf(path)), valueAtKeys(second, keysOf(path)))));
}

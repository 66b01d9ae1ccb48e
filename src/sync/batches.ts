import { parseResourceKey, type Step } from '../model/index.ts';

/** Steps that may be carried out at the same time: neighbours of one wave and one kind, all writes or all deletions. */
export function batchesOf<S extends Step>(steps: readonly S[]): readonly (readonly [S, ...S[]])[] {
  const batches: [S, ...S[]][] = [];
  for (const step of steps) {
    const last = batches.at(-1);
    if (last !== undefined && mayGoTogether(last[0], step)) last.push(step);
    else batches.push([step]);
  }
  return batches;
}

export function isSameWave(a: Step, b: Step): boolean {
  return a.phase === b.phase && a.wave === b.wave;
}

export function kindOf({ key }: Step): string {
  const { group, kind } = parseResourceKey(key);
  return `${group}/${kind}`;
}

function mayGoTogether(a: Step, b: Step): boolean {
  return isSameWave(a, b) && kindOf(a) === kindOf(b) && deletes(a) === deletes(b);
}

function deletes({ type }: Step): boolean {
  return type === 'prune' || type === 'delete-hook';
}

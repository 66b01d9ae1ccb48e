import { canonicalJson, type Diff, type DriftMode, type DriftRule, type FieldChange, type Json, type KubeObject, type ResourceKey, type Schema } from '../model/index.ts';
import { createHash } from 'node:crypto';
import { isIgnored, parseIgnoreRules, type IgnoreRules } from './ignore/index.ts';
import { keysOf } from './json-pointer.ts';
import { wholeAround } from './wholes.ts';

/** What is done about live changes of some fields, where that is not what is done about all. */
export interface DriftRules {
  /** The same for the same rules. */
  readonly hash: string;
  /** What is done where no rule says anything. */
  readonly usual: DriftMode;
  /** Of a place of an object; undefined where no rule is about it. The first one that is decides. */
  modeAt(key: ResourceKey, pointer: string, object: KubeObject): DriftMode | undefined;
}

export type ParsedDriftRules = { readonly type: 'rules'; readonly rules: DriftRules } | { readonly type: 'refused'; readonly errors: readonly string[] };

/** All rules, or everything that is wrong with them. */
export function parseDriftRules(written: readonly DriftRule[], usual: DriftMode): ParsedDriftRules {
  const errors: string[] = [];
  const rules: { readonly mode: DriftMode; readonly fields: IgnoreRules }[] = [];
  for (const [at, { mode, of }] of written.entries()) {
    const parsed = parseIgnoreRules([of]);
    if (parsed.type === 'rules') rules.push({ mode, fields: parsed.rules });
    else errors.push(...parsed.errors.map((error) => error.replace(/^\[0\]/, `[${at}]`)));
  }
  if (errors.length > 0) return { type: 'refused', errors };
  return {
    type: 'rules',
    rules: {
      usual,
      hash: createHash('sha256').update(canonicalJson([usual, written] as unknown as Json)).digest('hex').slice(0, 16),
      modeAt(key, pointer, object) {
        const keys = keysOf(pointer);
        return rules.find(({ fields }) => {
          const ignores = fields.for(key);
          return ignores !== undefined && isIgnored(keys, object, ignores);
        })?.mode;
      },
    },
  };
}

interface Moded {
  readonly live: KubeObject;
  readonly rules: DriftRules;
  readonly schema: Schema | undefined;
}

/** Each change with what is done about it, where a rule says so. */
export function withModes(diff: Diff, { live, rules, schema }: Moded): Diff {
  if (diff.type !== 'changed') return diff;
  const objectWith = ({ live: value }: FieldChange): KubeObject => (value === undefined ? diff.after : live);
  const modeOf = (change: FieldChange): DriftMode | undefined => rules.modeAt(diff.key, change.path, objectWith(change));
  const wholeOf = (change: FieldChange): string => wholeAround(change.path, objectWith(change), schema ?? { type: 'any' });
  const together = Map.groupBy(diff.changes, wholeOf);
  const changes = diff.changes.map((change) => {
    const modes = new Set(together.get(wholeOf(change))?.map((each) => modeOf(each) ?? rules.usual));
    // What is written as one has one mode: nothing of it can be put back and the rest left, so it is told.
    const drift = modes.size > 1 ? 'Alert' : modeOf(change);
    return drift === undefined ? change : { ...change, drift };
  });
  return { ...diff, changes };
}

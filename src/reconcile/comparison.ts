import { compareObjects, isIgnored, keysOf, leftoversOf, type DriftRules, type IgnoreRules, type Leftover, type ObjectIgnores, type Sides, type Tag } from '../diff/index.ts';
import type { AgreedState, ChangeStep, Diff, JsonObject, KubeObject, LiveObject, Schema } from '../model/index.ts';
import type { ScaledBy } from './autoscalers.ts';
import type { ClusterPort, Reading, Target } from './ports.ts';

export interface CompareContext {
  readonly cluster: Pick<ClusterPort, 'read' | 'predict' | 'predictPatch'>;
  readonly salt: string;
  readonly tag: Tag;
  readonly ignores: IgnoreRules | undefined;
  readonly scaledBy: ScaledBy;
  readonly drift?: DriftRules | undefined;
  /** Whether fields that people added are to go. */
  readonly revertsForeign?: boolean | undefined;
  /** Told of a live object that is newer than the one it knows; answers with the journal up to it. */
  readonly saw: ((live: LiveObject) => readonly ChangeStep[]) | undefined;
  readonly signal: AbortSignal;
}

/** All that is known of one object before the server is asked what an apply would do. */
export interface Known {
  readonly reading: Reading;
  readonly journal: readonly ChangeStep[];
  readonly schema: Schema | undefined;
  /** The fields that Git had when both were last seen to agree. */
  readonly recorded: JsonObject | undefined;
  /** What both agreed on, where Git said then what it says now. */
  readonly agreed?: AgreedState | undefined;
}

/** One live object and what Git wants of it. */
export interface Comparison {
  readonly target: Target;
  /** What Git says, with what is ignored as it is live. */
  readonly wanted: KubeObject;
  readonly live: LiveObject;
  readonly known: Known;
  readonly context: CompareContext;
  readonly ignores: ObjectIgnores | undefined;
}

/** What an apply would do, as far as it is known. */
export type Outcome = Pick<Sides, 'predicted'> & Partial<Pick<Sides, 'orphans' | 'reverted' | 'dropped' | 'volatile' | 'obstacle' | 'unconfirmed'>>;

/** A Diff, and what of it an apply does not bring. */
export interface Found {
  readonly diff: Diff;
  readonly leftovers: readonly Leftover[];
}

export function concludeWith(comparison: Comparison, outcome: Outcome): Found {
  const { orphans = [], reverted = [], predicted } = outcome;
  const { ignores } = comparison;
  const isMeant = (pointer: string): boolean => ignores === undefined || !isIgnored(keysOf(pointer), predicted, ignores);
  return { diff: conclude(comparison, outcome), leftovers: leftoversOf(predicted, [...orphans, ...reverted].filter(isMeant)) };
}

export function conclude({ target, live, known, context, ignores }: Comparison, outcome: Outcome): Diff {
  const { schema, journal } = known;
  return compareObjects(target.manifest, { live, hasStatus: target.kind.hasStatus, schema, journal, ignores, tag: context.tag, ...outcome });
}

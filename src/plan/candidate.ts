import type { Phase, ResourceKey, Step } from '../model/index.ts';

/** Something that a sync has to do with, before it is decided whether that is done now. */
export interface Candidate {
  readonly key: ResourceKey;
  readonly phase: Phase;
  readonly wave: number;
  /** Undefined where nothing is to be done about it. */
  readonly step: Step | undefined;
  /** Why: Git has something new, something live was changed, or what follows from either. */
  readonly reason: 'git' | 'drift' | 'adopt' | 'prune' | 'hook' | 'namespace';
  /** What later waves wait for, even where nothing is done about it now; undefined where it is as it should be. */
  readonly lacks: string | undefined;
  /** So long it is waited for, where waiting is not known to help. */
  readonly limitMs?: number;
  /** The definition that has to be served first, where it is on its way. */
  readonly definition?: string;
  /** The object says that it may be deleted to be made anew. */
  readonly isForced?: true;
  /** Of a live change: whether some of it is to be put back. */
  readonly isHealed?: boolean;
  /** It could not be compared, and will not be until somebody changes something. */
  readonly isLasting?: true;
  /** Nothing is over before this is as it should be. */
  readonly isNeeded?: true;
}

/** A step that changes something. */
export type Act = Exclude<Step, { readonly type: 'hold' | 'wait' }>;
export type Hold = Extract<Step, { readonly type: 'hold' }>;

export function isAct(step: Step | undefined): step is Act {
  return step !== undefined && step.type !== 'hold' && step.type !== 'wait';
}

/** The same thing, refused. */
export function held({ key, phase, wave }: Pick<Candidate, 'key' | 'phase' | 'wave'>, refusal: Pick<Hold, 'code' | 'why' | 'confirm'>): Hold {
  return { type: 'hold', key, phase, wave, ...refusal };
}

import type { KubeObject, Propagation, Refusal, ResourceKey, Step } from '../model/index.ts';

/** A field that others keep, and why. */
export interface LeftField {
  readonly field: string;
  readonly manager: string;
  readonly why: string;
}

export type Write =
  /** But for what was left, where something was. */
  | { readonly type: 'applied'; readonly object: KubeObject; readonly left?: readonly LeftField[] }
  | { readonly type: 'created'; readonly object: KubeObject }
  /** Nothing was changed: all that differs is held by others. */
  | { readonly type: 'contested'; readonly left: readonly LeftField[] }
  /** It was to be created, and is there. */
  | { readonly type: 'exists' }
  /** Another object bears its name. */
  | { readonly type: 'replaced' }
  | Refusal;

export type Removed =
  /** `left`: what its finalizers keep for now. */
  | { readonly type: 'deleted'; readonly left: KubeObject | null }
  | { readonly type: 'gone' }
  | { readonly type: 'replaced' }
  | Refusal;

/** An object that is to be deleted: none other of that name. */
export interface Doomed {
  readonly key: ResourceKey;
  readonly uid: string;
  readonly propagation: Propagation;
}

export type ApplyStep = Extract<Step, { type: 'apply' }>;

/** A hook to be created: what is created carries `run`. */
export type Hook = Pick<Extract<Step, { type: 'hook' }>, 'key' | 'run'>;

/** Does what steps say, to objects whose manifests it knows. */
export interface Applier {
  /** Throws where this process may not change anything now: another one may be at it. */
  mayWrite(): void;
  apply(step: ApplyStep, signal: AbortSignal): Promise<Write>;
  create(hook: Hook, signal: AbortSignal): Promise<Write>;
  recreate(doomed: Doomed & Pick<Hook, 'run'>, signal: AbortSignal): Promise<Write>;
  remove(doomed: Doomed, signal: AbortSignal): Promise<Removed>;
  /** Whether objects of a definition's kind can be made now. */
  untilEstablished(definition: KubeObject, options: { readonly withinMs: number; readonly signal: AbortSignal }): Promise<boolean>;
  /** Told of every write; null: it is gone. */
  wrote(key: ResourceKey, object: KubeObject | null): void;
}

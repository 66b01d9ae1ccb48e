import type { KubeObject } from './manifest.ts';
import type { Operation } from './operation.ts';
import type { ResourceKey } from './resource-key.ts';

/** When in a sync something happens. */
export type Phase = 'PreSync' | 'Sync' | 'PostSync' | 'SyncFail' | 'PreDelete' | 'PostDelete';

export type Propagation = 'foreground' | 'background' | 'orphan';

/** Why something is not done that would have to be. Names are shown, stored and asked for by scripts: they stay. */
export type HoldCode =
  /** What Git says cannot be had, or was not compared. */
  | 'Invalid'
  | 'NotCompared'
  | 'Terminating'
  | 'Denied'
  | 'HalfRead'
  | 'WaitsForDefinition'
  /** Others have a say. */
  | 'Contested'
  | 'OtherTool'
  | 'Shared'
  /** It would be destroyed. */
  | 'RequiresReplace'
  | 'PruneDisabled'
  | 'PruneNeedsConfirmation'
  | 'PruneBudget'
  | 'EmptyRender'
  | 'NotOurs'
  | 'DeclaredElsewhere'
  | 'NotSettled'
  /** Not now. */
  | 'Paused'
  | 'OutsideWindow'
  | 'NeedsApproval'
  | 'NotSelected'
  | 'Fighting'
  | 'NamespaceTerminating';

interface Place {
  readonly key: ResourceKey;
  readonly phase: Phase;
  readonly wave: number;
}

/** One thing a sync does, or waits for or, with its reason, refuses to do. In the order in which they happen. */
export type Step =
  | (Place & {
      readonly type: 'apply';
      /** `adopt`: it is as Git says, and not marked as ours yet. `namespace`: nobody declares it, and CreateNamespace is set. */
      readonly why: 'missing' | 'changed' | 'adopt' | 'namespace' | 'again';
      /** PUT instead of a server-side apply (Replace=true). */
      readonly replace?: boolean;
      /** What to apply, where no manifest has it. */
      readonly object?: KubeObject;
      /** Fields that the server does not know are no mistake (Validate=false). */
      readonly skipValidation?: true;
    })
  /** Deleted and created again: asked for by the user for this object. Its creation was tried first. */
  | (Place & { readonly type: 'recreate'; readonly uid: string; readonly propagation: Propagation })
  /**
   * Created anew each time; what an earlier sync left of it is deleted first where `replaces` has its UID. What is created carries `run` as
   * the annotation `setpoint.dev/hook-run`: without it nobody could tell it from what an earlier sync left. `confirmed`: as of a prune.
   */
  | (Place & { readonly type: 'hook'; readonly replaces?: string; readonly run?: string; readonly confirmed?: true })
  | (Place & { readonly type: 'delete-hook'; readonly uid: string })
  /** `confirmed`: it would be held, had the user not said back what the hold asked for. */
  | (Place & { readonly type: 'prune'; readonly uid: string; readonly propagation: Propagation; readonly confirmed?: true })
  /** Nothing after it is due before this is as it should be. `isStuck`: what it waits for is held, so waiting alone does not help. `limitMs`: longer it is not waited for. */
  | (Place & { readonly type: 'wait'; readonly why: string; readonly isStuck?: true; readonly limitMs?: number })
  | (Place & {
      readonly type: 'hold';
      readonly code: HoldCode;
      readonly why: string;
      /** Said back by the user, it lifts the hold for exactly this. */
      readonly confirm?: string;
    });

/** All that a sync would do now, as it is shown, told, approved and carried out. */
export interface Plan {
  /** Steps that are due have no `wait` before them. */
  readonly steps: readonly Step[];
  /** Names the commit and all that would be changed, in their order: what somebody approves. */
  readonly hash: string;
  readonly commit: string | null;
  /** Names what the steps bring: the commits of all sources, and how they are rendered. */
  readonly content: string;
  /** How the hooks of the operation under way stand by what is live, named as in the operation. */
  readonly hooks: Operation['hooks'];
  /** An operation of this type has to be on record before the first step. Absent where one is under way, or nothing is to be done. */
  readonly begins?: Operation['type'];
  /** Why nothing at all is done now, whatever there is to do: also the answer to a request. */
  readonly stopped?: { readonly code: HoldCode; readonly why: string };
}

export type StepOutcome =
  | { readonly type: 'applied'; readonly key: ResourceKey }
  | { readonly type: 'pruned'; readonly key: ResourceKey }
  | { readonly type: 'held'; readonly key: ResourceKey; readonly code: HoldCode; readonly why: string }
  | { readonly type: 'failed'; readonly key: ResourceKey; readonly why: string; readonly retry: 'soon' | 'later' };

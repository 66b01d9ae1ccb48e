import type { Alert } from './alert.ts';
import type { Condition } from './condition.ts';
import type { Correction } from './correction.ts';
import type { Diff, FieldChange, ForeignField, Patch } from './diff.ts';
import type { Episode } from './episode.ts';
import type { Health } from './health.ts';
import type { Finding } from './manifest.ts';
import type { Inventory, Operation } from './operation.ts';
import type { HoldCode } from './plan.ts';
import type { ResourceKey } from './resource-key.ts';
import type { AgreedStates, Cause, Verdict } from './verdict.ts';

/** A resource that is not as Git wants it, or could not be compared. */
export interface ResourceStatus {
  readonly key: ResourceKey;
  readonly origin: string;
  readonly type: Exclude<Diff['type'], 'same'>;
  readonly cause?: Cause;
  /** When it was first seen like this. */
  readonly since: string;
  readonly message?: string;
  /** What differs, as people write paths. */
  readonly fields?: readonly string[];
  /** Who changed it, as far as that is known. */
  readonly by?: string;
  /** Not kept where room is scarce: the next look finds them again. */
  readonly patch?: Patch;
  readonly changes?: readonly FieldChange[];
}

/** A resource that is not well. */
export interface UnhealthyResource extends Health {
  readonly key: ResourceKey;
  /** When it was first seen like this. */
  readonly since: string;
}

/** Something that a sync would have to do, and does not. */
export interface HeldStep {
  readonly key: ResourceKey;
  readonly code: HoldCode;
  readonly why: string;
  readonly confirm?: string;
}

/** Something was done about differences. */
export interface HistoryEntry {
  readonly id: number;
  /** When it ended. */
  readonly at: string;
  /** Absent in entries of earlier releases, as are the next ones. */
  readonly startedAt?: string;
  readonly type?: Operation['type'];
  readonly operation?: string;
  /** How it ended. */
  readonly state?: 'succeeded' | 'failed' | 'terminated';
  readonly pruned?: number;
  readonly revision: string | null;
  readonly cause: Cause;
  readonly applied: number;
  readonly held: number;
  readonly failed: number;
}

/** Entries of earlier releases tell only how many of its steps failed. */
export function hasSucceeded({ state, failed }: Pick<HistoryEntry, 'state' | 'failed'>): boolean {
  return state === undefined ? failed === 0 : state === 'succeeded';
}

/** All that is known of an application and must outlive the process. */
export interface AppStatus {
  readonly name: string;
  /** What is compared with what. A status is of no use for anything else. */
  readonly subject: string | null;
  readonly verdict: Verdict | null;
  /** When the verdict last became another one. */
  readonly verdictSince: string | null;
  readonly commit: string | null;
  /** What `commit` was found for: it stands for nothing else. */
  readonly reference: { readonly repository: string; readonly revision: string } | null;
  /** Of all sources, in their order, where there are several. */
  readonly commits: readonly string[];
  readonly checkedAt: string | null;
  /** Of the Application that was looked at last. */
  readonly generation: number | null;
  /** The request for a look that was last answered. */
  readonly observedRefresh: string | null;
  /** How many resources Git declares. */
  readonly declared: number;
  /** Bounded: `notListed` says how many more there are. */
  readonly resources: readonly ResourceStatus[];
  readonly notListed: number;
  /** Fields that were added by hand and that Git says nothing about. Bounded. */
  readonly foreign: readonly (ForeignField & { readonly key: ResourceKey })[];
  readonly findings: readonly Finding[];
  readonly conditions: readonly Condition[];
  readonly agreed: AgreedStates;
  /** Open ones first, then the newest. Bounded. */
  readonly episodes: readonly Episode[];
  /** What was put back lately. Bounded. */
  readonly corrections: readonly Correction[];
  /** What was found worth telling, and how far that got. Only the dispatcher changes it. Bounded. */
  readonly alerts: readonly Alert[];
  /** The request to send dead letters again that was answered last. */
  readonly answeredReplay: string | null;
  /** Newest first, bounded. */
  readonly history: readonly HistoryEntry[];
  /** The sync under way, or the last one. */
  readonly operation: Operation | null;
  /** The request that was answered last, whether something came of it or not. */
  readonly answered: { readonly request: string; readonly message?: string } | null;
  readonly inventory: Inventory;
  /** Names the commit and the keys that were rendered last: nothing is deleted because of a list that was seen once. */
  readonly rendered: string | null;
  /** What the last plan refused. Bounded. */
  readonly held: readonly HeldStep[];
  readonly health: Health | null;
  /** Bounded. */
  readonly unhealthy: readonly UnhealthyResource[];
}

export function emptyStatus(name: string): AppStatus {
  return {
    name,
    subject: null,
    verdict: null,
    verdictSince: null,
    commit: null,
    reference: null,
    commits: [],
    checkedAt: null,
    generation: null,
    observedRefresh: null,
    declared: 0,
    resources: [],
    notListed: 0,
    foreign: [],
    findings: [],
    conditions: [],
    agreed: {},
    episodes: [],
    corrections: [],
    alerts: [],
    answeredReplay: null,
    history: [],
    operation: null,
    answered: null,
    inventory: {},
    rendered: null,
    held: [],
    health: null,
    unhealthy: [],
  };
}

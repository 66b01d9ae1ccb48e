import type { Diff, FieldChange, ForeignField, Patch } from './diff.ts';
import type { Episode, PendingAlert } from './episode.ts';
import type { Finding } from './manifest.ts';
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
  readonly patch?: Patch;
  readonly changes?: readonly FieldChange[];
}

/** All that is known of an application and must outlive the process. */
export interface AppStatus {
  readonly name: string;
  /** What is compared with what. A status is of no use for anything else. */
  readonly subject: string | null;
  readonly verdict: Verdict | null;
  readonly commit: string | null;
  readonly checkedAt: string | null;
  /** How many resources Git declares. */
  readonly declared: number;
  /** Bounded: `notListed` says how many more there are. */
  readonly resources: readonly ResourceStatus[];
  readonly notListed: number;
  /** Fields that were added by hand and that Git says nothing about. Bounded. */
  readonly foreign: readonly (ForeignField & { readonly key: ResourceKey })[];
  readonly findings: readonly Finding[];
  readonly agreed: AgreedStates;
  /** Newest first, bounded. */
  readonly episodes: readonly Episode[];
  /** Oldest first: alerts leave in the order in which they arose. */
  readonly outbox: readonly PendingAlert[];
}

export function emptyStatus(name: string): AppStatus {
  return {
    name,
    subject: null,
    verdict: null,
    commit: null,
    checkedAt: null,
    declared: 0,
    resources: [],
    notListed: 0,
    foreign: [],
    findings: [],
    agreed: {},
    episodes: [],
    outbox: [],
  };
}

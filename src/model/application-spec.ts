import type { Json, JsonObject } from './json.ts';
import type { ServedKind } from './manifest.ts';
import type { SyncRequest } from './operation.ts';
import type { Source } from './source.ts';
import type { SyncWindow } from './sync-window.ts';

/** What keeps an Application until its objects are deleted, where it asks for that. */
export const cascadeFinalizer = 'setpoint.dev/cascade';

/** How Applications are known to the API server. */
export const applicationKind = {
  group: 'setpoint.dev',
  version: 'v1alpha1',
  kind: 'Application',
  resource: 'applications',
  namespaced: true,
  hasStatus: true,
} as const satisfies ServedKind;

/** What somebody wants of one application, read and checked. */
export interface ApplicationSpec {
  /** `namespace/name`; the name alone where a file gives no namespace. */
  readonly id: string;
  readonly namespace: string | undefined;
  readonly name: string;
  /** Of the custom resource; a document in a file has none. */
  readonly uid: string | undefined;
  readonly generation: number | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** At least one, and at least one of them has a path. */
  readonly sources: readonly Source[];
  readonly destination: {
    /** Of documents that name none. */
    readonly namespace: string | undefined;
  };
  readonly policy: ApplicationPolicy;
  /** As they were written; what they mean is for those who compare. */
  readonly ignoreRules: readonly Json[];
  readonly retry: RetryPolicy;
  /** How long a sync waits for a resource that is not well; undefined: as the agent does. */
  readonly syncTimeoutMs?: number | undefined;
  readonly syncOptions: readonly string[];
  /** What a namespace that a sync makes is given. */
  readonly namespaceMetadata?: NamespaceMetadata | undefined;
  /** None: always. */
  readonly syncWindows?: readonly SyncWindow[];
  /** What becomes of the workload when the Application is deleted. */
  readonly deletionPolicy: 'Orphan' | 'Cascade';
  readonly pause: ApplicationPause | undefined;
  /** Another text each time somebody asks for a look at everything. */
  readonly refresh: string | undefined;
  /** What somebody asked for by hand; it stays until something else is asked for. */
  readonly sync?: SyncRequest | undefined;
  /** The operation that somebody wants ended. */
  readonly terminate?: string | undefined;
  /** Nothing of it is told meanwhile. */
  readonly mute?: ApplicationMute | undefined;
  /** Dead letters that somebody wants sent again; it stays until something else is asked for. */
  readonly replay?: ReplayRequest | undefined;
  /** How often Git is asked; undefined: as often as the agent asks for all. */
  readonly intervalMs: number | undefined;
  readonly deleting: boolean;
  /** Kubernetes keeps it until we have deleted its objects. */
  readonly isHeld?: boolean;
  /** What has no effect, or not the effect that it seems to ask for: one sentence each, with the full path of the field. */
  readonly warnings: readonly string[];
}

export interface NamespaceMetadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface ApplicationPolicy {
  /** What is done about new commits. */
  readonly deploy: 'manual' | 'automatic';
  /** What is done about live changes. */
  readonly drift: DriftMode;
  /** Of single fields; the first that is about one decides. None where it is left out. */
  readonly rules?: readonly DriftRule[];
  /** What is done about fields that were added by hand and that Git does not mention. */
  readonly foreignFields: 'Report' | 'Revert' | 'Ignore';
  readonly prune: boolean;
}

export type DriftMode = 'Alert' | 'Heal' | 'Ignore';

export interface DriftRule {
  readonly mode: DriftMode;
  /** Which fields of which objects, in the words of `ignoreDifferences`. */
  readonly of: JsonObject;
}

/** How failed syncs are tried again; undefined: as the agent does it. */
export interface RetryPolicy {
  readonly durationMs: number | undefined;
  readonly factor: number | undefined;
  readonly maxDurationMs: number | undefined;
  /** As it was given. Nothing is ever given up for good. */
  readonly limit: number | undefined;
}

/** Nothing is changed in the cluster meanwhile; looking goes on. */
export interface ApplicationPause {
  /** In UTC; undefined: until somebody ends it. */
  readonly until: string | undefined;
  readonly reason: string | undefined;
}

/** Somebody does not want to hear of an application for a while. */
export interface ApplicationMute {
  /** In UTC. */
  readonly until: string;
  readonly reason: string;
  readonly author: string;
}

export interface ReplayRequest {
  /** Another one each time. */
  readonly id: string;
  readonly notifications: readonly string[];
}

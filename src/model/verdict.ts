import type { Diff } from './diff.ts';
import type { ErrorCode } from './errors.ts';
import type { JsonObject } from './json.ts';
import type { Finding } from './manifest.ts';
import type { ResourceKey } from './resource-key.ts';

/**
 * Why Git and the cluster differ: Git asks for something that was never seen live (`git-ahead`),
 * or what was live has been changed (`live-changed`, the only one that is drift), or both.
 */
export type Cause = 'git-ahead' | 'live-changed' | 'both';

export type Verdict =
  | { readonly status: 'Synced' }
  | { readonly status: 'OutOfSync'; readonly cause: Cause }
  | { readonly status: 'Unknown'; readonly code: ErrorCode; readonly message: string };

/** One resource and, where it is out of sync, why. */
export interface JudgedResource {
  readonly diff: Diff;
  readonly cause?: Cause;
}

/** One look at one application: everything that was compared, at one commit. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly commit: string | null;
  readonly resources: readonly JudgedResource[];
  readonly findings: readonly Finding[];
}

/** What a resource was like when Git and the cluster last agreed on it; values are hashed. */
export interface AgreedState {
  readonly desired: string;
  /** By JSON pointers, the leaves of the object. Empty where it is not on record: there was no room for it. */
  readonly live: Readonly<Record<string, string>>;
  /** Which fields Git had then, as the server writes such sets (FieldsV1): a field that Git drops is looked for by this. Absent in states of earlier releases. */
  readonly fields?: JsonObject;
}

export type AgreedStates = Readonly<Record<ResourceKey, AgreedState>>;

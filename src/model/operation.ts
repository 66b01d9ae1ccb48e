import { isList, isObject, type Json } from './json.ts';
import type { ResourceKey } from './resource-key.ts';

/** What an object that we applied carries, as an annotation: whose it is, and who it is itself. It is ours, and nobody’s difference. */
export const trackingAnnotation = 'setpoint.dev/tracking-id';

/** What somebody asked for by hand. */
export interface SyncRequest {
  /** Another one each time. */
  readonly id: string;
  readonly by: string;
  /** A commit that is recorded in the history; undefined: what the reference says now. */
  readonly revision?: string;
  /** Only these; undefined: all. */
  readonly resources?: readonly ResourceKey[];
  /** As `automated.prune`, for this once. */
  readonly prune?: boolean;
  /** The hash of the plan that was seen, or the confirmation that a hold asked for. */
  readonly approve?: readonly string[];
}

/** A request as it was stored; undefined where it is none. Whoever may write it may ask for a sync. */
export function syncRequestIn(stored: Json | undefined): SyncRequest | undefined {
  if (!isObject(stored)) return undefined;
  const { id, by = '', revision, resources, prune, approve } = stored;
  const isTexts = (value: Json | undefined): value is readonly string[] => isList(value) && value.every((item) => typeof item === 'string');
  if (typeof id !== 'string' || id === '' || typeof by !== 'string') return undefined;
  if (revision !== undefined && (typeof revision !== 'string' || !/^[0-9a-f]{40}$/.test(revision))) return undefined;
  if ((resources !== undefined && !isTexts(resources)) || (approve !== undefined && !isTexts(approve)) || (prune !== undefined && typeof prune !== 'boolean')) return undefined;
  return {
    ...{ id, by },
    ...(revision !== undefined && { revision }),
    ...(resources !== undefined && { resources: resources as readonly ResourceKey[] }),
    ...(prune !== undefined && { prune }),
    ...(approve !== undefined && { approve }),
  };
}

export type HookState = 'running' | 'succeeded' | 'failed';

/** A sync under way, or the last one that ended. One at a time; in durable state before its first write. */
export interface Operation {
  readonly id: string;
  readonly type: 'deploy' | 'heal' | 'manual' | 'delete';
  readonly revision: string | null;
  /** Names what it brings: the commits of all sources, and how they are rendered. Absent in records of earlier releases. */
  readonly content?: string;
  /** Names the spec that it was begun with. Absent in records of earlier releases. */
  readonly spec?: string;
  readonly startedAt: string;
  readonly request?: SyncRequest;
  /** Hooks that were begun, by key and phase (`PreSync batch/Job/shop/migrate`): none is begun twice. */
  readonly hooks: Readonly<Record<string, HookState>>;
  /** What the user confirmed to be deleted when it was begun: the list that was confirmed gets shorter while it is worked through. */
  readonly confirmed?: readonly ResourceKey[];
  /** Where it is: what it waits for, or how it ended. */
  readonly state: 'running' | 'failing' | 'succeeded' | 'failed' | 'terminated';
  readonly message?: string;
  /** Since when nothing could be done because something is waited for. */
  readonly waitingSince?: string;
  readonly endedAt?: string;
  /** Somebody ended it: it is not begun again by itself. */
  readonly isEndedByHand?: true;
  /** So far; what was held and what failed, at last. */
  readonly done?: { readonly applied: number; readonly pruned: number; readonly held: number; readonly failed: number };
}

/** What was applied for an application, and is therefore its own to delete. */
export type Inventory = Readonly<Record<ResourceKey, InventoryEntry>>;

export interface InventoryEntry {
  readonly uid: string;
  /** Of its API group, to find it by. */
  readonly version: string;
}

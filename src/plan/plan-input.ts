import type { Application, Finding, Inventory, JudgedResource, Manifest, Operation, ResourceKey, SyncRequest } from '../model/index.ts';
import type { LiveFacts } from './live-facts.ts';

/** All that one look saw. */
export interface PlanInput {
  readonly application: Application;
  readonly commit: string | null;
  /** Of each source of the application, in their order. */
  readonly commits: readonly string[];
  /** All that Git declares, hooks included. */
  readonly manifests: readonly Manifest[];
  /** All but hooks. Those that have no manifest could not be read to the end. */
  readonly judged: ReadonlyMap<ResourceKey, JudgedResource>;
  readonly findings: readonly Finding[];
  /** Of what is declared, of hooks and of the inventory; undefined: it is not there. Must know our own writes: a hook that is not seen is gone. */
  readonly live: LiveLookup;
  readonly inventory: Inventory;
  /** The one under way. */
  readonly operation: Operation | undefined;
  /** Not begun yet. */
  readonly request: SyncRequest | undefined;
  readonly render: {
    readonly isWhole: boolean;
    /** The look before rendered the same keys at this commit. */
    readonly isSettled: boolean;
  };
  readonly namespace: { readonly name: string; readonly state: 'there' | 'missing' | 'terminating' | 'unknown' };
  /** Those that the breaker no longer heals, where it is known with who else writes them. */
  readonly fights: ReadonlySet<ResourceKey> | ReadonlyMap<ResourceKey, string>;
  /** Of those that marked objects which are to be adopted: they are no more. */
  readonly goneApplications?: ReadonlySet<string>;
  /** Another application that declares an object, as far as whoever looks knows of others. */
  readonly otherDeclarer?: (key: ResourceKey) => string | undefined;
  /** Operations of this application that are on record, the present one aside. */
  readonly runs?: ReadonlySet<string>;
  /** What the agent itself consists of, and the namespaces that it and the application live in. */
  readonly self?: ReadonlySet<ResourceKey>;
  readonly now: Date;
}

export type LiveLookup = (key: ResourceKey) => LiveFacts | undefined;

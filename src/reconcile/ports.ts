import type { KindLookup } from '../diff/index.ts';
import type {
  Application,
  AppStatus,
  ErrorCode,
  Finding,
  JsonObject,
  KubeObject,
  LiveObject,
  Manifest,
  ResourceKey,
  Schema,
  ServedKind,
  SourceDocument,
  StepOutcome,
  Verdict,
} from '../model/index.ts';

/** Documents as Git has them, and what is wrong or odd in them. */
export interface Rendered {
  readonly documents: readonly SourceDocument[];
  readonly findings: readonly Finding[];
}

/** Where desired state comes from. */
export interface DesiredPort {
  /** The commit that a revision stands for now. */
  pull(revision: string, signal: AbortSignal): Promise<string>;
  documents(commit: string, path: string): Promise<Rendered>;
}

export interface Target {
  readonly manifest: Manifest;
  readonly kind: ServedKind;
}

type Trouble =
  | { readonly type: 'invalid'; readonly message: string }
  | { readonly type: 'unknown'; readonly code: ErrorCode; readonly message: string };

export type Reading = { readonly type: 'live'; readonly live: LiveObject } | { readonly type: 'absent' } | Trouble;

/** The cluster. Methods throw only when it is out of reach as a whole. */
export interface ClusterPort {
  discover(signal: AbortSignal): Promise<{ readonly lookUp: KindLookup }>;
  schemaOf(kind: ServedKind, signal: AbortSignal): Promise<Schema | undefined>;
  read(target: Target, signal: AbortSignal): Promise<Reading>;
  /** Reads many at once where that pays; what it does not answer for is to be read one by one. */
  readMany(targets: readonly Target[], signal: AbortSignal): Promise<ReadonlyMap<ResourceKey, Reading>>;
  predict(target: Target, signal: AbortSignal): Promise<{ readonly type: 'predicted'; readonly object: KubeObject } | Trouble>;
  apply(
    target: Target,
    options: { readonly force: boolean; readonly signal: AbortSignal },
  ): Promise<
    | { readonly type: 'applied'; readonly object: KubeObject }
    | { readonly type: 'conflict'; readonly conflicts: readonly { readonly field: string; readonly manager: string }[] }
    | Trouble
  >;
}

export interface StatusPort {
  readonly salt: string;
  read(name: string): Promise<AppStatus>;
  update(name: string, change: (current: AppStatus) => AppStatus): Promise<AppStatus>;
}

/** Keys waiting to be worked on. A key says which, never what happened. */
export interface WorkQueue {
  /** Wants `key` worked on, at once or after a delay. One that waits is not added twice; one being worked on runs once more. */
  add(key: string, options?: { readonly delayMs?: number }): Promise<void>;
  /** Starts taking keys. A handler that throws has its key tried again with growing delays, for ever. */
  start(handler: (key: string, signal: AbortSignal) => Promise<void>): void;
  close(): Promise<void>;
}

export interface DestinationPort {
  send(event: JsonObject & { readonly id: string }, signal: AbortSignal): Promise<void>;
}

/** What people are told while it happens. */
export interface ReportPort {
  observed(application: Application, status: AppStatus & { readonly verdict: Verdict }): void;
  synced(application: Application, outcomes: readonly StepOutcome[]): void;
}

export interface Ports {
  readonly desired: DesiredPort;
  readonly cluster: ClusterPort;
  readonly status: StatusPort;
  /** Null where no destination is configured: episodes are recorded all the same. */
  readonly alerts: Pick<WorkQueue, 'add'> | null;
  readonly report: ReportPort;
  readonly now: () => Date;
  readonly newId: () => string;
}

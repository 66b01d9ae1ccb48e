import type { IgnoreRules, KindLookup, Tag } from '../diff/index.ts';
import type { ClusterWrites } from '../sync/index.ts';
import type { Memory } from './memory.ts';
import type {
  Application,
  AppStatus,
  ChangeStep,
  ErrorCode,
  Finding,
  Health,
  KubeObject,
  LiveObject,
  Manifest,
  Patch,
  Refusal,
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

/** What a cluster serves, for charts that ask. */
export interface Capabilities {
  readonly kubeVersion: string;
  readonly apiVersions: readonly string[];
}

/** Something could not be asked since then (in milliseconds of the clock); what it said last is used meanwhile. */
export interface Trouble {
  readonly since: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** An application at the commit that counts now. */
export interface Desired {
  readonly commit: string;
  /** Of each source, in their order. */
  readonly commits: readonly string[];
  readonly trouble: Trouble | undefined;
  /** What Git wants of it: the very same documents while nothing that they come from has changed. */
  documents(capabilities: () => Promise<Capabilities>, signal: AbortSignal): Promise<Rendered>;
  /** The same, rendered once more from Git, whatever is remembered. */
  documentsAnew(capabilities: () => Promise<Capabilities>, signal: AbortSignal): Promise<Rendered>;
}

/** Where desired state comes from. */
export interface DesiredPort {
  /** `lastSeen` is the commit of the last look, for when the server does not answer. */
  at(application: Application, lastSeen: string | null, signal: AbortSignal): Promise<Desired>;
}

export interface Target {
  readonly manifest: Manifest;
  readonly kind: ServedKind;
}

/** As much of it as a watch needs: what Git wants of it is another with every commit. */
export interface Followable {
  readonly manifest: Pick<Manifest, 'key'>;
  readonly kind: ServedKind;
}

export type Reading =
  | { readonly type: 'live'; readonly live: LiveObject }
  | { readonly type: 'absent' }
  | Extract<Refusal, { type: 'unknown' }>;

export type Prediction = { readonly type: 'predicted'; readonly object: KubeObject } | Refusal;

export interface KindSchema {
  readonly schema: Schema;
  /** Names its content. */
  readonly hash: string;
}

export interface ServedKinds {
  readonly lookUp: KindLookup;
  readonly apiVersions: readonly string[];
  kubeVersion(signal: AbortSignal): Promise<string>;
}

/** The cluster. Methods throw only when it is out of reach as a whole. */
export interface ClusterPort extends ClusterWrites {
  discover(signal: AbortSignal): Promise<ServedKinds>;
  schemaOf(kind: ServedKind, signal: AbortSignal): Promise<KindSchema | undefined>;
  read(target: Target, signal: AbortSignal): Promise<Reading>;
  /** Reads many at once where that pays; what it does not answer for is to be read one by one. */
  readMany(targets: readonly Target[], signal: AbortSignal): Promise<ReadonlyMap<ResourceKey, Reading>>;
  /** All objects of a kind in a namespace; none where they may not be listed. */
  list(kind: ServedKind, namespace: string, signal: AbortSignal): Promise<readonly KubeObject[]>;
  predict(target: Target, signal: AbortSignal): Promise<Prediction>;
  predictPatch(target: Target, patch: Patch, signal: AbortSignal): Promise<Prediction>;
  /** Some of the pods that a workload selects. */
  podsOf(workload: KubeObject, signal: AbortSignal): Promise<readonly KubeObject[]>;
}

/** A watched object as it was last seen. */
export interface Sight {
  /** Names all that a comparison looks at; null where there is no such object. */
  readonly digest: string | null;
  /** Undefined where nobody judged it. */
  readonly health?: Health | undefined;
  reading(): Reading;
  /** The last changes that were seen, newest last. */
  journal(): readonly ChangeStep[];
}

/** Objects that are watched, so that nobody has to ask for them. */
export interface WatchPort {
  /** Watches these and no others. Done when what can be watched has been seen once. */
  follow(targets: readonly Target[], signal: AbortSignal): Promise<void>;
  /** Undefined where it is not watched, or not reliably now: then it is to be read. */
  sight(key: ResourceKey): Sight | undefined;
  /** Another text whenever admission may judge otherwise than before. */
  admission(): string;
  /** What the server answered, to our own apply for one: newer than what the watch has shown so far. */
  applied(key: ResourceKey, object: KubeObject): void;
}

/** Calls back once after the delay, unless the function it returns is called first. */
export type SetTimer = (callback: () => void, delayMs: number) => () => void;

/** What a process that stays knows of the cluster, and of each application. */
export interface StandingPort {
  of(id: string): { readonly watch: WatchPort; readonly memory: Memory };
  applied(key: ResourceKey, object: KubeObject): void;
  /** The applications that declared an object when they were last looked at. */
  declarers(key: ResourceKey): Iterable<string>;
}

/** Where what must not be lost is kept. Written only where something other than the time of the look is new. */
export interface StatusPort {
  /** Keys the hashes that are kept. */
  readonly salt: string;
  read(name: string): Promise<AppStatus>;
  /** `uid`: whom the change is about, where it has one. Another one that has its name by now is left alone. */
  update(name: string, change: (current: AppStatus) => AppStatus, uid?: string): Promise<AppStatus>;
}

/** Keys waiting to be worked on. A key says which, never what happened. */
export interface WorkQueue {
  /** Wants `key` worked on, at once or after a delay. One that waits is not added twice; one being worked on runs once more. */
  add(key: string, options?: { readonly delayMs?: number }): Promise<void>;
  /** Starts taking keys. A handler that throws has its key tried again with growing delays, for ever. */
  start(handler: (key: string, signal: AbortSignal) => Promise<void>): void;
  close(): Promise<void>;
}

/** What people are told while it happens. */
export interface ReportPort {
  observed(application: Application, status: AppStatus & { readonly verdict: Verdict }): void;
  synced(application: Application, outcomes: readonly StepOutcome[]): void;
  /** An Application that asked for its objects to go with it has gone without these. */
  left?(application: Application, rest: { readonly left: readonly ResourceKey[]; readonly why: string }): void;
}

/** Whether Kubernetes keeps an Application that somebody deletes until we let it go. */
export interface DeletionPort {
  hold(id: string, options: { readonly isHeld: boolean }, signal: AbortSignal): Promise<void>;
}

export interface Ports {
  readonly desired: DesiredPort;
  readonly cluster: ClusterPort;
  readonly standing: StandingPort;
  /** What may differ. Throws where the rules cannot be read. */
  readonly ignoresOf: (application: Application) => IgnoreRules | undefined;
  /** How a live object is: Progressing since then, where it is, and with these pods, where they are known. */
  readonly healthOf: (object: KubeObject, facts?: { readonly progressingSince?: Date; readonly pods?: readonly KubeObject[] }) => Health;
  /** Marks equal values of Secrets alike. */
  readonly tag: Tag;
  readonly status: StatusPort;
  /** Undefined where nobody can delete an application but by deleting its document. */
  readonly deletion?: DeletionPort;
  readonly report: ReportPort;
  /** Where this process lives; undefined where that is not in the cluster. */
  readonly agentNamespace?: string;
  /** Throws where this process may not change anything now: another one may be at it. */
  readonly mayWrite: () => void;
  readonly now: () => Date;
  /** How long Git may be silent before nothing is called in sync, where the Application does not say how often it is asked. */
  readonly staleAfterMs: number;
  readonly newId: () => string;
}

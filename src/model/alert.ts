import type { FieldOwner, Patch } from './diff.ts';
import type { Json } from './json.ts';
import type { Cause } from './verdict.ts';

export type Severity = 'info' | 'warning' | 'critical';

/** What one rule found in one application: from when it was worth telling until all of it is over. Kept in the application's status. */
export interface Alert {
  /** `drf_` and a ULID. */
  readonly id: string;
  readonly rule: string;
  /** A state of the application, or drift that was healed before it was worth an alert. Absent: episodes. */
  readonly about?: AlertedState | 'healed';
  readonly severity: Severity;
  /** Since when it lasts: the onset of the oldest thing that it is about. */
  readonly startedAt: string;
  readonly firedAt: string;
  readonly resolvedAt: string | null;
  /** Names what it is about, values left out: another value is the same alert. */
  readonly fingerprint: string;
  /** The episodes that it is about. Bounded; none where it is about the application as a whole. */
  readonly episodes: readonly string[];
  /** Episodes of the same rule that alerts told of which are not kept any more: they are no news. Bounded. */
  readonly earlier?: readonly string[];
  /** Episodes that were over when they joined, and with which transition: news to whoever was told before that. */
  readonly late?: Readonly<Record<string, number>>;
  /** Counts what became worth telling: it fired, became another one, was resolved, fired again. What was over when it fired counts twice. */
  readonly transition: number;
  readonly transitionAt: string;
  /** By name of the destination. */
  readonly deliveries: Readonly<Record<string, Delivery>>;
}

/** How far an alert got with one destination. */
export interface Delivery {
  /** The transition that it was told last, or that needs no telling; 0 before the first. */
  readonly told: number;
  readonly toldAt: string | null;
  readonly toldState: 'firing' | 'resolved' | null;
  /** What the destination called its message: with it the message is updated in place. */
  readonly ref?: string;
  /** What is about to be sent, on record before it is: after a crash it is sent again under the same id. */
  readonly claim?: Claim;
  /** What was given up. */
  readonly dead?: DeadLetter;
}

export interface Claim {
  /** Of the notification; all members of a group have the same. It is the key of every copy that is sent. */
  readonly notification: string;
  readonly transition: number;
  /** What it tells of the alert; absent: that it fires. */
  readonly state?: 'firing' | 'resolved';
  readonly at: string;
  readonly attempts: number;
  readonly nextTryAt: string;
  /** Why the last attempt failed. */
  readonly error?: string;
}

export interface DeadLetter {
  readonly notification: string;
  readonly transition: number;
  /** As in the claim. */
  readonly state?: 'firing' | 'resolved';
  readonly at: string;
  readonly error: string;
}

/** Which open episodes and states a rule is about. Each list that is given must hold; within a list one is enough. */
export interface AlertMatch {
  readonly cause?: readonly Cause[];
  /** States of the application as a whole. */
  readonly status?: readonly AlertedState[];
  /** Names of applications, `*` and `?` allowed. */
  readonly applications?: readonly string[];
  /** Of the resource, or of the Application where the rule is about it as a whole; `*` and `?` allowed. */
  readonly namespaces?: readonly string[];
  /** `Deployment`, `apps/Deployment`; `*` allowed. */
  readonly kinds?: readonly string[];
  /** Labels of the Application. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Paths as people write them; `*` stands for any run of characters. */
  readonly fields?: readonly string[];
}

export type AlertedState = 'Unknown' | 'Contested' | 'SyncFailed' | 'SyncSucceeded' | 'Degraded';

export interface AlertRule {
  readonly name: string;
  readonly match: AlertMatch;
  /** What lasts shorter is recorded, and not told. */
  readonly forMs: number;
  readonly severity: Severity;
  readonly groupBy: readonly ('cluster' | 'namespace' | 'app')[];
  readonly groupWaitMs: number;
  readonly groupIntervalMs: number;
  readonly repeatIntervalMs: number;
  readonly sendResolved: boolean;
  /** Tells of what was healed before it was worth an alert, as one digest now and then. */
  readonly sendHealed: boolean;
  readonly destinations: readonly string[];
}

/** A time that comes again in which what matches is not told. */
export interface MuteWindow {
  readonly name: string;
  readonly cron: string;
  readonly durationMs: number;
  readonly timezone: string;
  readonly match: AlertMatch;
}

/** Somebody does not want to hear of it for a while. */
export interface Silence {
  readonly id: string;
  readonly match: AlertMatch & { readonly rules?: readonly string[] };
  readonly from: string;
  readonly until: string;
  readonly author: string;
  readonly reason: string;
}

export type NotificationType =
  | 'drift.firing'
  | 'drift.changed'
  | 'drift.resolved'
  | 'drift.repeated'
  | 'drift.healed'
  | 'sync.succeeded'
  | 'sync.failed'
  | 'agent.blind'
  | 'agent.recovered'
  | 'test';

/** What a destination is told: made from what is known when it is sent, not when it arose. */
export interface Notification {
  /** The same in every copy that is sent. */
  readonly id: string;
  readonly type: NotificationType;
  readonly at: string;
  readonly rule: { readonly name: string; readonly severity: Severity };
  readonly cluster: string;
  /** At least one. Bounded: a digest of 500 applications has the first ones. */
  readonly subjects: readonly AlertedApplication[];
  readonly truncatedSubjects: number;
  /** Where an earlier message of the same alert is. */
  readonly ref?: string;
}

export interface AlertedApplication {
  /** That of this alert, which a digest of several rules does not tell; that of the notification where it is absent. */
  readonly rule?: { readonly name: string; readonly severity: Severity };
  readonly alert: { readonly id: string; readonly fingerprint: string; readonly startedAt: string; readonly endedAt: string | null };
  readonly application: { readonly namespace: string | null; readonly name: string; readonly labels: Readonly<Record<string, string>> };
  /** Of what is told; null where it is no difference. */
  readonly cause: Cause | null;
  /** Why, in a sentence, where it is no difference: what could not be found out, which sync failed. */
  readonly message?: string;
  readonly revision: { readonly repo: string; readonly ref: string; readonly sha: string | null; readonly path: string | null };
  /** Bounded. */
  readonly resources: readonly AlertedResource[];
  readonly truncatedResources: number;
}

export interface AlertedResource {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly change: string;
  readonly cause: Cause | null;
  readonly since: string;
  /** When it was over; absent while it lasts. */
  readonly endedAt?: string;
  /** When something was applied against it. */
  readonly correctedAt?: string;
  /** Who changed it, as far as that is known. */
  readonly by?: string;
  readonly fields: readonly AlertedField[];
  readonly patch?: Patch;
}

/** Values are absent where that side has nothing there, where they are secret and where they are not known any more. */
export interface AlertedField {
  readonly path?: string;
  readonly display: string;
  readonly desired?: Json;
  readonly live?: Json;
  readonly actor?: FieldOwner;
}

/** What became of one attempt to send. */
export type SendOutcome =
  | { readonly type: 'sent'; readonly ref?: string }
  /** Worth another try, not before `afterMs` where that is said. */
  | { readonly type: 'retry'; readonly why: string; readonly afterMs?: number }
  /** Never worth another try. */
  | { readonly type: 'refused'; readonly why: string }
  /** The destination is gone for good: nothing more is to be sent there. */
  | { readonly type: 'gone'; readonly why: string };

/** Where notifications go. */
export interface Destination {
  readonly name: string;
  send(notification: Notification, signal: AbortSignal): Promise<SendOutcome>;
  close(): Promise<void>;
}

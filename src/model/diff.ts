import type { DriftMode } from './application-spec.ts';
import type { ErrorCode } from './errors.ts';
import type { Json } from './json.ts';
import type { KubeObject } from './manifest.ts';
import type { ResourceKey } from './resource-key.ts';

/** One RFC 6902 operation. Applied to the live object, a patch gives what Git asks for. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

export type Patch = readonly PatchOperation[];

/**
 * Who the server recorded as owner of a field. The manager is a name that a client chose: evidence, not identity. The time is
 * that of its last write to any of its fields, so this field was written then or before; some writes leave no time.
 */
export interface FieldOwner {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly time?: string;
}

/** One write to an object that was seen while watching it. Values are left out: a journal may be printed, stored and sent. */
export interface ChangeStep {
  readonly resourceVersion: string;
  /** When the change arrived here. */
  readonly seenAt: string;
  /** Only where the watch had a gap: the object was last seen then, so the change happened between that time and `seenAt`. */
  readonly notBefore?: string;
  /** Those whose entry in the managed fields changed with it; none where the server recorded nobody. */
  readonly writers: readonly FieldOwner[];
  /** What changed, as people write it: `spec.template.spec.containers[name=app].image`. */
  readonly paths: readonly string[];
}

/** When and by whom a field was changed, as far as a journal of its object saw it. */
export type Sighting = Pick<ChangeStep, 'seenAt' | 'notBefore' | 'writers'>;

/**
 * What sets a change apart from plain drift.
 * `contested`: other software holds the live value, and would write it again.
 * `orphaned`: Git had it once, an apply leaves it, so it is to be removed by itself.
 * `foreign`: somebody added it, Git says nothing about it, and the application says that such fields go.
 */
type Standing = 'contested' | 'orphaned' | 'foreign';

/** One changed place, for people. `display` names list items by their keys: `spec.containers[name=app].image`. */
export interface FieldChange {
  readonly path: string;
  readonly display: string;
  /** Absent where that side has nothing there. */
  readonly live?: Json;
  readonly desired?: Json;
  /** Others than ourselves who own the live value; none where there is no live value: Kubernetes keeps no owner of what is gone. */
  readonly owners: readonly FieldOwner[];
  /** Absent where nobody was watching. */
  readonly seen?: Sighting;
  readonly standing?: Standing;
  /** What is done about it where it was changed live, if that is not what is done about all. */
  readonly drift?: DriftMode;
}

/** A field that somebody added by hand and Git says nothing about: an apply leaves it, so no comparison with Git shows it. */
export interface ForeignField {
  readonly path: string;
  readonly display: string;
  readonly live: Json;
  readonly owners: readonly FieldOwner[];
  readonly seen?: Sighting;
}

/** A change that an apply would bring and that is not drift. */
export interface SideEffect extends FieldChange {
  /**
   * `admission`: Git does not mention it, the server or a webhook adds it.
   * `format`: the same in another form: an amount respelt, a set reordered. `volatile`: another value at every apply.
   */
  readonly why: 'admission' | 'format' | 'volatile';
}

interface Compared {
  readonly key: ResourceKey;
  readonly origin: string;
}

/** What is worth saying of an object that is there, whatever the verdict. */
export interface Remarks {
  readonly foreign: readonly ForeignField[];
  /** Differences that an ignore rule takes out of the verdict. */
  readonly ignored: readonly FieldChange[];
  readonly sideEffects: readonly SideEffect[];
  /** Whether we have ever applied it; until then the server counts nothing as ours. */
  readonly adopted: boolean;
  readonly warnings: readonly string[];
}

/** What would keep a sync from making the change. */
export interface Obstacle {
  /** `replace`: it would have to be deleted and created again. `denied`: admission refuses it. */
  readonly type: 'replace' | 'denied';
  readonly message: string;
}

/** Values of Secrets are masked in every member: a Diff may be printed, stored and sent. */
export type Diff =
  | (Compared & { readonly type: 'same' } & Remarks)
  | (Compared & {
      readonly type: 'missing';
      readonly patch: Patch;
      readonly after: KubeObject;
      /** What has to be there first, where that is known: the definition of its kind. */
      readonly waitsFor?: string;
    })
  | (Compared & {
      readonly type: 'changed';
      readonly patch: Patch;
      readonly changes: readonly FieldChange[];
      readonly before: KubeObject;
      readonly after: KubeObject;
      readonly obstacle?: Obstacle;
      /** Why the server did not confirm it. Absent where it did, or where it need not be asked. */
      readonly unconfirmed?: string;
    } & Remarks)
  /** It is being deleted: what is applied to it vanishes with it. */
  | (Compared & { readonly type: 'terminating'; readonly message: string })
  | (Compared & { readonly type: 'invalid'; readonly message: string })
  | (Compared & { readonly type: 'unknown'; readonly code: ErrorCode; readonly message: string });

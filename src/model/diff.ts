import type { ErrorCode } from './errors.ts';
import type { Json } from './json.ts';
import type { KubeObject } from './manifest.ts';
import type { ResourceKey } from './resource-key.ts';

/** One RFC 6902 operation. Applied to the live object, a patch gives what Git asks for. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
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
  /** What changed, as people write it: `spec.template.spec.containers[app].image`. */
  readonly paths: readonly string[];
}

/** One changed place, for people. `display` names list items where they have a name: `spec.containers[app].image`. */
export interface FieldChange {
  readonly path: string;
  readonly display: string;
  /** Absent where that side has nothing there. */
  readonly live?: Json;
  readonly desired?: Json;
  /** Others than ourselves who own the live value; none where there is no live value: Kubernetes keeps no owner of what is gone. */
  readonly owners: readonly FieldOwner[];
}

/** A field that somebody added by hand and Git says nothing about: an apply leaves it, so no comparison with Git shows it. */
export interface ForeignField {
  readonly path: string;
  readonly display: string;
  readonly live: Json;
  readonly owners: readonly FieldOwner[];
}

interface Compared {
  readonly key: ResourceKey;
  readonly origin: string;
}

/** Values of Secrets are masked in every member: a Diff may be printed, stored and sent. */
export type Diff =
  | (Compared & { readonly type: 'same'; readonly foreign: readonly ForeignField[] })
  | (Compared & { readonly type: 'missing'; readonly patch: Patch; readonly after: KubeObject })
  | (Compared & {
      readonly type: 'changed';
      readonly patch: Patch;
      readonly changes: readonly FieldChange[];
      readonly foreign: readonly ForeignField[];
      readonly before: KubeObject;
      readonly after: KubeObject;
    })
  | (Compared & { readonly type: 'invalid'; readonly message: string })
  | (Compared & { readonly type: 'unknown'; readonly code: ErrorCode; readonly message: string });

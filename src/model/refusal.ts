import type { ErrorCode } from './errors.ts';

export type FieldKeys = readonly string[];

/** Why the server would not say what an apply does to one object. Its own trouble, not the cluster's. */
export type Refusal =
  /** Git asks for what this cluster cannot have. `fields`: the keys to those that the server names, but for what is in lists. */
  | { readonly type: 'invalid'; readonly message: string; readonly fields?: readonly FieldKeys[] }
  /** The change is possible only by deleting the object and creating it again. */
  | { readonly type: 'replace'; readonly message: string }
  /** Admission would refuse the change. */
  | { readonly type: 'denied'; readonly message: string }
  /** The object or its namespace is being deleted. */
  | { readonly type: 'terminating'; readonly message: string }
  /** The server cannot be asked about this object, or any of its kind, now or by us: what is known locally is all there is. */
  | { readonly type: 'unconfirmed'; readonly scope: 'object' | 'kind'; readonly code: ErrorCode; readonly message: string }
  | { readonly type: 'unknown'; readonly code: ErrorCode; readonly message: string };

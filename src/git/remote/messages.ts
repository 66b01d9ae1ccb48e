import type { ErrorCode } from '../../model/index.ts';
import type { RemoteRepository } from '../repository-url.ts';

/** What a revision stands for on the server now. */
export interface Reference {
  /** A full reference name, or a commit id. */
  readonly name: string;
  /** What the server is asked for: a commit, or the tag that leads to it. */
  readonly id: string;
  readonly commit: string;
}

export interface ListJob {
  readonly type: 'list';
  readonly repository: RemoteRepository;
  readonly revision: string;
  /** The full names that it can mean; the first that exists counts. */
  readonly names: readonly string[];
}

export interface FetchJob {
  readonly type: 'fetch';
  readonly repository: RemoteRepository;
  readonly gitDir: string;
  readonly want: string;
  /** A commit that is here: only what came after it is fetched. Without it, the one commit and nothing of its past. */
  readonly have: string | undefined;
  /** The commits here whose past is not. */
  readonly shallow: readonly string[];
  readonly maxBytes: number;
}

export type Job = ListJob | FetchJob;

export interface Fetched {
  readonly bytes: number;
  readonly shallow: readonly string[];
}

/** `too many bytes` is an outcome of its own: for what is fetched on top of a copy it means that a new copy is cheaper. */
export type Failure = { readonly type: 'too many bytes' } | { readonly type: 'cancelled' } | { readonly type: 'error'; readonly code: ErrorCode; readonly message: string };

export type ToWorker = { readonly id: number } & ({ readonly type: 'run'; readonly job: Job } | { readonly type: 'cancel' });

export type FromWorker = { readonly id: number } & (
  | { readonly type: 'progress' }
  | { readonly type: 'done'; readonly result: Reference | Fetched }
  | { readonly type: 'failed'; readonly failure: Failure }
);

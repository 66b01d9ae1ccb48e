import type { SourceTree } from '../model/index.ts';
import type { Deadlines } from './worker-client.ts';

export interface GitRepository {
  /** Without credentials. */
  readonly url: string;
  /**
   * The commit that a branch, a tag, a full reference name, HEAD or a commit id stands for now. Asks the server and fetches nothing;
   * a commit id is taken as it is.
   */
  resolve(revision: string, signal: AbortSignal): Promise<string>;
  /** The same, and its files are here afterwards. Nothing is fetched when they already are, and nobody asked for a commit id. */
  pull(revision: string, signal: AbortSignal): Promise<Snapshot>;
  /** Ends all snapshots. What is on disk stays for the next time. */
  close(): Promise<void>;
}

/** The files of one commit. They stay on disk until it is let go. */
export interface Snapshot extends Disposable {
  readonly commit: string;
  readonly tree: SourceTree;
}

export interface GitLimits {
  /** Of one file. */
  readonly fileBytes: number;
  /** Of what a server sends for one fetch. */
  readonly fetchBytes: number;
  /** With so many packs a copy is made anew. */
  readonly packs: number;
}

/** Told of everything that is asked of a server, for metrics. */
export interface GitObserver {
  listed?(event: { readonly ms: number }): void;
  fetched?(event: { readonly type: 'first' | 'incremental'; readonly bytes: number; readonly ms: number }): void;
}

export const usualLimits: GitLimits = { fileBytes: 4 * 2 ** 20, fetchBytes: 2 ** 30, packs: 50 };
export const usualDeadlines: Deadlines = { idleMs: 60_000, totalMs: 600_000 };

import type { ResourceKey } from './resource-key.ts';

/** One place in an object that was put back. */
export interface Correction {
  readonly key: ResourceKey;
  /** As people write it; empty: the object as a whole. */
  readonly path: string;
  /** The last few times, oldest first. */
  readonly times: readonly string[];
  /** Who had changed it, as far as that is known. */
  readonly by?: string;
}

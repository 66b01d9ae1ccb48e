import type { Dice } from './dice.ts';
import type { Network } from './network.ts';

/** Where the keys of notifications wait, in worlds that have such a place: processes come and go, and it stays. Nothing in it is worth anything. */
export interface KeyStore {
  /** Those that wait for a destination; undefined where each process keeps its own. */
  keysOf(queue: string): Set<string> | undefined;
  /** Whether it has no answer now. */
  isRefused(): boolean;
  /** Somebody empties it. */
  flush(): void;
}

export function createKeyStore(dice: Dice, network: Network): KeyStore {
  const isThere = dice.chance(0.6);
  const queues = new Map<string, Set<string>>();
  return {
    keysOf(queue) {
      if (!isThere) return undefined;
      const keys = queues.get(queue) ?? new Set();
      queues.set(queue, keys);
      return keys;
    },
    isRefused: () => isThere && network.isRefused(),
    flush() {
      for (const keys of queues.values()) keys.clear();
    },
  };
}

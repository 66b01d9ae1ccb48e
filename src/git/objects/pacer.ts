import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Pacer {
  /** Whether the event loop has waited long enough for its turn. */
  isDue(): boolean;
  pause(): Promise<void>;
}

// Far below the 50 ms that a person or a lease notices, far above what a turn costs.
const sliceMs = 5;

/** Reading is synchronous in small pieces; between them the event loop gets its turn. */
export function createPacer(): Pacer {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since >= sliceMs,
    async pause() {
      await nextTurn();
      since = performance.now();
    },
  };
}

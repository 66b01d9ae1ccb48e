/** Waits until nothing is pending any more. */
export interface Settling {
  wait(signal: AbortSignal): Promise<void>;
  /** Something may no longer be pending. */
  check(): void;
  /** Nobody waits any longer. */
  end(): void;
}

export function createSettling(isPending: () => boolean): Settling {
  const waiting = new Set<() => void>();
  const end = (): void => {
    for (const resolve of waiting) resolve();
  };
  return {
    wait(signal) {
      signal.throwIfAborted();
      if (!isPending()) return Promise.resolve();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const fail = (): void => {
        waiting.delete(done);
        reject(signal.reason as Error);
      };
      const done = (): void => {
        waiting.delete(done);
        signal.removeEventListener('abort', fail);
        resolve();
      };
      waiting.add(done);
      signal.addEventListener('abort', fail, { once: true });
      return promise;
    },
    check() {
      if (waiting.size > 0 && !isPending()) end();
    },
    end,
  };
}

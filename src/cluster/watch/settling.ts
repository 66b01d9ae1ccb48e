/** Waits until nothing is pending any more of what each waits for. */
export interface Settling {
  wait(isPending: () => boolean, signal: AbortSignal): Promise<void>;
  /** Something may no longer be pending. */
  check(): void;
  /** Nobody waits any longer. */
  end(): void;
}

export function createSettling(): Settling {
  const waiting = new Map<() => void, () => boolean>();
  return {
    wait(isPending, signal) {
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
      waiting.set(done, isPending);
      signal.addEventListener('abort', fail, { once: true });
      return promise;
    },
    check() {
      for (const [done, isPending] of waiting) if (!isPending()) done();
    },
    end() {
      for (const done of waiting.keys()) done();
    },
  };
}

/** A wait that can be cut short. */
export interface Pause {
  /** Ends after the delay, when `signal` says so, or when it has been shortened. */
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
  /** A wait under way ends at the latest after this delay. */
  shorten(delayMs: number): void;
}

export function createPause(): Pause {
  let current: { readonly endsAt: number; end(): void; restart(delayMs: number): void } | undefined;
  return {
    wait(delayMs, signal) {
      if (signal.aborted || delayMs <= 0) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      let timer: NodeJS.Timeout | undefined;
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        current = undefined;
        resolve();
      };
      const restart = (ms: number): void => {
        clearTimeout(timer);
        timer = setTimeout(end, ms);
        current = { endsAt: performance.now() + ms, end, restart };
      };
      signal.addEventListener('abort', end, { once: true });
      restart(delayMs);
      return promise;
    },
    shorten(delayMs) {
      if (current !== undefined && performance.now() + delayMs < current.endsAt) current.restart(delayMs);
    },
  };
}

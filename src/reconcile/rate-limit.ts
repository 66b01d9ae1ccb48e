export interface RateLimitOptions {
  readonly perSecond: number;
  /** So many at once after a quiet time. At least 1. */
  readonly burst: number;
  /** Milliseconds on a clock that only goes forward. */
  readonly now: () => number;
  /** Calls back once after the delay, unless the function it returns is called first. */
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
}

export interface RateLimit {
  /** Done when it is the caller's turn: first come, first served. Who is aborted leaves the queue and costs nothing. */
  take(signal: AbortSignal): Promise<void>;
}

export function createRateLimit({ perSecond, burst, now, setTimer }: RateLimitOptions): RateLimit {
  const stepMs = 1_000 / perSecond;
  const aheadMs = (burst - 1) * stepMs;
  const waiting = new Set<() => void>();
  // When the bucket is full again; what was taken early is paid back until then.
  let fullAt = now();
  let cancelTimer: (() => void) | undefined;

  function serve(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    for (const go of waiting) {
      const waitMs = fullAt - aheadMs - now();
      if (waitMs > 0) {
        cancelTimer = setTimer(serve, Math.ceil(waitMs));
        return;
      }
      waiting.delete(go);
      fullAt = Math.max(fullAt, now()) + stepMs;
      go();
    }
  }

  return {
    async take(signal) {
      signal.throwIfAborted();
      const turn = Promise.withResolvers<void>();
      const leave = (): void => {
        waiting.delete(turn.resolve);
        turn.reject(signal.reason as Error);
        if (waiting.size === 0) serve();
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.add(turn.resolve);
      // Whoever was here before has a timer already, and goes first.
      if (waiting.size === 1) serve();
      try {
        await turn.promise;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}

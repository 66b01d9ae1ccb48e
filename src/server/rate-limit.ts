export interface RateLimit {
  /** Takes one place where there is one. */
  take(): { readonly type: 'free' } | { readonly type: 'wait'; readonly seconds: number };
}

interface RateLimitOptions {
  readonly perSecond: number;
  readonly burst: number;
  readonly now: () => number;
}

/** A token bucket: `burst` at once, then `perSecond`. */
export function createRateLimit({ perSecond, burst, now }: RateLimitOptions): RateLimit {
  let tokens = burst;
  let at = now();
  return {
    take() {
      const time = now();
      // A clock that was set back gives nothing, and takes nothing away.
      tokens = Math.min(burst, tokens + (Math.max(0, time - at) / 1000) * perSecond);
      at = time;
      if (tokens < 1) return { type: 'wait', seconds: Math.ceil((1 - tokens) / perSecond) };
      tokens -= 1;
      return { type: 'free' };
    },
  };
}

import type { Source } from './identity.ts';

export interface Granted<T> {
  readonly value: T;
  /** Milliseconds since 1970; undefined where it is good until the server refuses it. */
  readonly expiresAt: number | undefined;
}

interface Held<T> extends Granted<T> {
  readonly renewAt: number;
}

// Clocks differ, and a request takes its time.
const earlyMs = 60_000;
const pauseAfterFailureMs = 10_000;

/** Keeps what was granted until shortly before its end. However many ask, it is asked for once at a time. */
export function createHeldIdentity<T>(grant: () => Promise<Granted<T>>, now: () => number = Date.now): Source<T> {
  let held: Held<T> | undefined;
  let underWay: Promise<T> | undefined;

  const renew = async (refused: T | undefined): Promise<T> => {
    try {
      const granted = await grant();
      held = { ...granted, renewAt: renewalOf(granted, now()) };
    } catch (error) {
      // What we have is still good for a while: a login server that is away for a minute stops nothing.
      if (held === undefined || held.value === refused || (held.expiresAt ?? 0) <= now()) throw error;
      held = { ...held, renewAt: Math.min(now() + pauseAfterFailureMs, held.expiresAt ?? 0) };
    }
    return held.value;
  };

  return (refused) => {
    if (held !== undefined && held.value !== refused && now() < held.renewAt) return Promise.resolve(held.value);
    underWay ??= renew(refused).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

function renewalOf({ expiresAt }: Granted<unknown>, now: number): number {
  if (expiresAt === undefined) return Infinity;
  // Some plugins hand out what they have cached themselves until its very end: half of a short rest keeps us from running
  // them for each request.
  return expiresAt - Math.min(earlyMs, (expiresAt - now) / 2);
}

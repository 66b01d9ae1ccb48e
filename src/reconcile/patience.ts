/** How long to wait before an application is looked at again: not at all at first, longer where it never comes to rest. */
export interface Patience {
  delayMs(id: string): number;
  forget(id: string): void;
}

interface Account {
  /** When all that was spent is paid back. */
  readonly fullAt: number;
  /** When the look comes that was last promised: whoever asks before then shares it. */
  readonly dueAt: number;
}

// An object that changes all the time costs one look in two seconds; one that changes now and then is looked at at once.
const perLookMs = 2000;
const burst = 10;
// A write to many objects comes as many changes: one look at the first of them, and one at the rest.
const momentMs = 100;

export function createPatience(monotonic: () => number): Patience {
  const accounts = new Map<string, Account>();
  return {
    delayMs(id) {
      const now = monotonic();
      const { fullAt, dueAt } = accounts.get(id) ?? { fullAt: now, dueAt: now - momentMs };
      if (dueAt > now) return dueAt - now;
      const waitMs = Math.max(0, dueAt + momentMs - now, fullAt - now - (burst - 1) * perLookMs);
      accounts.set(id, { fullAt: Math.max(fullAt, now) + perLookMs, dueAt: now + waitMs });
      return waitMs;
    },
    forget: (id) => void accounts.delete(id),
  };
}

import { SetpointError, toSetpointError, type ErrorCode } from '../model/index.ts';

export interface BreakerOptions {
  readonly now: () => Date;
  /** In [0, 1). */
  readonly random: () => number;
  /** Whether a failure is the dependency's own. With any other failure it has answered. */
  readonly isOutage: (error: unknown) => boolean;
  /** So many failures in a row, and the dependency is left alone. */
  readonly openAfter?: number;
  /** How long it is left alone the first time; twice as long after each probe that fails, never longer than `maxMs`. */
  readonly baseMs?: number;
  readonly maxMs?: number;
}

interface Trouble {
  /** Of the first failure in the row. */
  readonly since: Date;
  readonly failures: number;
  readonly code: ErrorCode;
  readonly reason: string;
}

export type BreakerState =
  | { readonly type: 'closed'; readonly failures: number }
  | (Trouble & { readonly type: 'open'; readonly openedAt: Date; readonly retryAt: Date })
  | (Trouble & { readonly type: 'probing'; readonly startedAt: Date });

/** One breaker for each name: a repository's host, a cluster. */
export interface Breakers {
  /**
   * Does the work, unless the dependency is left alone now: then it fails at once, with the code of the failure that
   * brought this about. Work that fails after its signal was aborted says nothing about the dependency.
   */
  run<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  state(name: string): BreakerState;
}

type Entry = (Trouble & { readonly type: 'counting' }) | Exclude<BreakerState, { type: 'closed' }>;

export function createBreakers(options: BreakerOptions): Breakers {
  const { now, random, isOutage, openAfter = 5, baseMs = 5_000, maxMs = 5 * 60_000 } = options;
  // Only those in trouble: a name without an entry is closed.
  const entries = new Map<string, Entry>();

  /** Whether this call is the probe of a dependency that was left alone long enough. Throws while it is not. */
  function admit(name: string): 'call' | 'probe' {
    const entry = entries.get(name);
    if (entry === undefined || entry.type === 'counting') return 'call';
    if (entry.type === 'probing' || !isDue(entry, now())) throw refusal(name, entry);
    const { since, failures, code, reason } = entry;
    entries.set(name, { type: 'probing', startedAt: now(), since, failures, code, reason });
    return 'probe';
  }

  function failed(name: string, role: 'call' | 'probe', error: unknown): void {
    const entry = entries.get(name);
    // Calls that were under way when it opened, or while it is probed, tell nothing new.
    if (role === 'call' && entry !== undefined && entry.type !== 'counting') return;
    const failures = (entry?.failures ?? 0) + 1;
    const { code, message } = toSetpointError(error);
    const at = now();
    const trouble = { since: entry?.since ?? at, failures, code, reason: message };
    if (failures < openAfter) {
      entries.set(name, { type: 'counting', ...trouble });
      return;
    }
    const limit = Math.min(maxMs, baseMs * 2 ** (failures - openAfter));
    // From half of the limit on, so that whoever is left alone is left alone, and agents do not come back together.
    const retryAt = new Date(at.getTime() + Math.ceil(limit * (0.5 + random() / 2)));
    entries.set(name, { type: 'open', openedAt: at, retryAt, ...trouble });
  }

  /** A probe that was called off leaves its place to the next one. */
  function learnedNothing(name: string, role: 'call' | 'probe'): void {
    const entry = entries.get(name);
    if (role !== 'probe' || entry?.type !== 'probing') return;
    const { startedAt, ...trouble } = entry;
    entries.set(name, { ...trouble, type: 'open', openedAt: startedAt, retryAt: startedAt });
  }

  return {
    async run(name, work, signal) {
      const role = admit(name);
      try {
        const result = await work();
        entries.delete(name);
        return result;
      } catch (error) {
        if (signal?.aborted === true) learnedNothing(name, role);
        else if (isOutage(error)) failed(name, role, error);
        else entries.delete(name);
        throw error;
      }
    },
    state(name) {
      const entry = entries.get(name);
      if (entry === undefined) return { type: 'closed', failures: 0 };
      return entry.type === 'counting' ? { type: 'closed', failures: entry.failures } : entry;
    },
  };
}

/** A clock that was set back must not leave the dependency alone for longer. */
function isDue({ openedAt, retryAt }: { readonly openedAt: Date; readonly retryAt: Date }, at: Date): boolean {
  return at >= retryAt || at < openedAt;
}

function refusal(name: string, entry: Extract<Entry, { type: 'open' | 'probing' }>): SetpointError {
  const { since, code, reason } = entry;
  // The same text for as long as it lasts: it goes into the status of every application that is concerned.
  return new SetpointError(code, `${name} is left alone for a while: all has failed since ${since.toISOString()}. The last failure: ${reason}`);
}

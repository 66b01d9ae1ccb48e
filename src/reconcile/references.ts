import { toSetpointError, type ErrorCode } from '../model/index.ts';
import type { SetTimer, Trouble } from './ports.ts';
import { StillAsking } from './still-asking.ts';

/** A name in a repository that stands for a commit, and may stand for another one tomorrow. */
export interface Reference {
  readonly repository: string;
  readonly revision: string;
}

/** What is known of a reference. `trouble`: it could not be asked for since then, and may have moved. */
export interface KnownReference {
  readonly commit: string;
  readonly trouble?: Trouble;
}

export interface References {
  /** The commit as it is known; asks where nothing is. `lastSeen` is what an earlier process saw, for when the server does not answer. */
  current(reference: Reference, lastSeen: string | null, signal: AbortSignal): Promise<KnownReference>;
  /** These are polled from now on, and no others: each as often as the most impatient of those who want it. */
  follow(references: readonly (Reference & { readonly pollMs?: number | undefined })[]): void;
  /** Asks now for those that match: someone says that they moved. Returns how many. */
  hint(matches: (reference: Reference) => boolean): number;
  /** Asks for it now, unless it was never asked for before, and ends when what is known is new. */
  ask(reference: Reference): Promise<void>;
  /** Another process may have seen later commits than we have: each reference is asked for before it is used again. */
  doubt(): void;
  close(): void;
}

export interface ReferencesOptions {
  /** The id of the commit that a revision stands for now. */
  readonly resolve: (reference: Reference, signal: AbortSignal) => Promise<string>;
  /** It stands for another commit than before, is to be had for the first time after it was not, or again after trouble. */
  readonly onMoved: (reference: Reference) => void;
  /** It takes so long to be had that looks do not wait for it. */
  readonly onLate?: (reference: Reference) => void;
  /** Where nobody wants it otherwise. */
  readonly pollMs: number;
  readonly now: () => number;
  readonly random: () => number;
  readonly setTimer: SetTimer;
}

interface Followed {
  readonly reference: Reference;
  known: KnownReference | undefined;
  /** Why nothing is known, where it was asked for: a branch may be pushed after the Application that names it. */
  missing: ErrorCode | undefined;
  /** Likewise, where those who had asked were gone by then: it is the answer of whoever comes, until the next poll. */
  unheard: Error | undefined;
  asking: Question | undefined;
  /** Somebody left without an answer: it is told when it comes. */
  isOwed: boolean;
  pollMs: number;
  /** Undefined where it is not polled: somebody asked for it before it was followed. */
  cancel: (() => void) | undefined;
  /** Hints come for it, and no poll has seen a move that none came for. */
  hinted: boolean;
  /** What we have seen it at, the last ones of them. */
  seen: readonly string[];
  /** Somebody else may have seen a later commit. Until it was asked for once more, or where that failed. */
  doubt: { isAsked: boolean } | undefined;
}

interface Question {
  /** Ends when the answer, good or bad, is noted. */
  readonly answer: Promise<void>;
  /** Ends when it has taken so long that others should have their turn. */
  readonly late: Promise<'late'>;
}

type Why = 'poll' | 'hint' | 'asked' | 'first';

// Where hints work, polls are only there for the one that gets lost.
const hintedPollFactor = 10;
const spread = 0.1;
const seenKept = 100;
// Much longer than a server needs to answer, and short enough that all others may wait for so long.
const patienceMs = 5_000;

/** Which commit each reference is at: asked for at an interval, once for all who need it, and at once where a hint says so. */
export function createReferences({ resolve, onMoved, onLate, pollMs, now, random, setTimer }: ReferencesOptions): References {
  const all = new Map<string, Followed>();
  const closing = new AbortController();

  function entryOf(reference: Reference): Followed {
    const name = nameOf(reference);
    const present = all.get(name);
    if (present !== undefined) return present;
    const { repository, revision } = reference;
    const made: Followed = { reference: { repository, revision }, known: undefined, missing: undefined, unheard: undefined, asking: undefined, isOwed: false, pollMs, cancel: undefined, hinted: false, seen: [], doubt: undefined };
    all.set(name, made);
    return made;
  }

  /** Shared by all who ask meanwhile. */
  function ask(entry: Followed, why: Why): Question {
    if (entry.asking !== undefined) return entry.asking;
    let cancel = (): void => undefined;
    const late = new Promise<'late'>((end) => {
      cancel = setTimer(() => end('late'), patienceMs);
    });
    const answer = look(entry, why).finally(() => {
      cancel();
      entry.asking = undefined;
    });
    entry.asking = { answer, late };
    return entry.asking;
  }

  /** A look has its turn for a while only. */
  async function answered(entry: Followed, why: Why): Promise<void> {
    const { answer, late } = ask(entry, why);
    if ((await Promise.race([answer, late])) !== 'late') return;
    if (!entry.isOwed) onLate?.(entry.reference);
    entry.isOwed = true;
    throw new StillAsking(`${entry.reference.repository} has not said yet where ${entry.reference.revision} is`);
  }

  async function look(entry: Followed, why: Why): Promise<void> {
    const { known: before, missing, doubt } = entry;
    try {
      const commit = await resolve(entry.reference, closing.signal);
      entry.known = { commit };
      [entry.missing, entry.unheard] = [undefined, undefined];
      entry.seen = [...entry.seen.filter((each) => each !== commit), commit].slice(-seenKept);
      // An answer to a question from before the doubt does not end it.
      if (entry.doubt === doubt || entry.doubt?.isAsked === true) entry.doubt = undefined;
      const isOwed = settled(entry);
      const moved = before !== undefined && before.commit !== commit;
      // Somebody who asked by chance says nothing of whether hints come.
      if (moved && why !== 'asked') entry.hinted = why === 'hint';
      if (moved || isOwed || missing !== undefined || before?.trouble !== undefined) onMoved(entry.reference);
    } catch (error) {
      if (closing.signal.aborted) return;
      if (doubt !== undefined) doubt.isAsked = true;
      const isOwed = settled(entry);
      const { code, message } = toSetpointError(error);
      if (before === undefined) {
        entry.missing = code;
        entry.unheard = isOwed || entry.unheard !== undefined ? (error as Error) : undefined;
        if (entry.cancel !== undefined) schedule(entry);
        if (isOwed || (missing !== undefined && missing !== code)) onMoved(entry.reference);
        throw error;
      }
      entry.known = { commit: before.commit, trouble: { since: before.trouble?.since ?? now(), code, message } };
      // Whoever asked, and however far away the next poll was.
      if (entry.cancel !== undefined) schedule(entry);
      // Each time: how long it has lasted changes the verdict.
      onMoved(entry.reference);
    }
  }

  function schedule(entry: Followed): void {
    entry.cancel?.();
    // Trouble is looked after at the usual pace, however patient those are who want it.
    const isWell = entry.missing === undefined && entry.known?.trouble === undefined;
    const interval = isWell ? entry.pollMs * (entry.hinted ? hintedPollFactor : 1) : Math.min(entry.pollMs, pollMs);
    entry.cancel = setTimer(() => void pollOnce(entry), interval * (1 - spread + 2 * spread * random()));
  }

  async function pollOnce(entry: Followed): Promise<void> {
    if (wasAsked(entry)) await ask(entry, 'poll').answer.catch(() => undefined);
    if (all.get(nameOf(entry.reference)) === entry && !closing.signal.aborted) schedule(entry);
  }

  return {
    async current(reference, lastSeen, signal) {
      signal.throwIfAborted();
      const entry = entryOf(reference);
      if (entry.known === undefined) {
        try {
          if (entry.unheard !== undefined && entry.cancel !== undefined) throw entry.unheard;
          await answered(entry, 'first');
        } catch (error) {
          if (lastSeen === null || error instanceof StillAsking) throw error;
          const { code, message } = toSetpointError(error);
          entry.known ??= { commit: lastSeen, trouble: { since: now(), code, message } };
          // On record for one application: others have records of their own.
          entry.doubt ??= { isAsked: true };
        }
      }
      while (entry.doubt?.isAsked === false && !closing.signal.aborted) await answered(entry, 'poll');
      closing.signal.throwIfAborted();
      const known = entry.known as KnownReference;
      // What is on record and was never seen here is somebody else's and may be later: it is not undone.
      return entry.doubt !== undefined && lastSeen !== null && !entry.seen.includes(lastSeen) ? { ...known, commit: lastSeen } : known;
    },
    follow(references) {
      const wanted = new Set(references.map(nameOf));
      for (const [name, entry] of all) {
        if (wanted.has(name)) continue;
        entry.cancel?.();
        all.delete(name);
      }
      for (const some of Map.groupBy(references, nameOf).values()) {
        const entry = entryOf(some[0] as Reference);
        const wantedMs = Math.min(...some.map((each) => each.pollMs ?? pollMs));
        if (entry.cancel !== undefined && entry.pollMs === wantedMs) continue;
        entry.pollMs = wantedMs;
        schedule(entry);
      }
    },
    hint(matches) {
      const meant = [...all.values()].filter((entry) => wasAsked(entry) && matches(entry.reference));
      for (const entry of meant) void again(entry, 'hint');
      return meant.length;
    },
    async ask(reference) {
      const entry = all.get(nameOf(reference));
      if (entry !== undefined && wasAsked(entry)) await again(entry, 'asked');
    },
    doubt() {
      for (const entry of all.values()) entry.doubt = entry.known === undefined && entry.asking === undefined ? undefined : { isAsked: false };
    },
    close() {
      closing.abort();
      for (const { cancel } of all.values()) cancel?.();
    },
  };

  /** What is under way may have been asked before the move that the hint is about. */
  async function again(entry: Followed, why: Why): Promise<void> {
    await entry.asking?.answer.catch(() => undefined);
    await ask(entry, why).answer.catch(() => undefined);
    if (all.get(nameOf(entry.reference)) === entry && !closing.signal.aborted) schedule(entry);
  }
}

/** Whether somebody is owed what is noted now. */
function settled(entry: Followed): boolean {
  const { isOwed } = entry;
  entry.isOwed = false;
  return isOwed;
}

/** Whoever needs what was never asked for asks for it, and says what is wrong. */
function wasAsked({ known, missing }: Followed): boolean {
  return known !== undefined || missing !== undefined;
}

function nameOf({ repository, revision }: Reference): string {
  return `${repository} ${revision}`;
}

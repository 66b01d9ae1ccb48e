import { canonicalJson, SetpointError, staleIntervals, type Application, type Json, type ResourceKey } from '../model/index.ts';
import type { Clock } from './clock.ts';
import type { Ports, WorkQueue } from './ports.ts';
import { lookAtInvalid } from './look-at-invalid.ts';
import { createPatience } from './patience.ts';
import { createRateLimit } from './rate-limit.ts';
import type { Reconciled } from './next-look.ts';
import { reconcile } from './reconcile.ts';
import { recordUnknown } from './record-unknown.ts';
import type { Standings } from './standings.ts';
import { StillAsking } from './still-asking.ts';
import { stopping } from '../sync/index.ts';
import { createWish, type Wish } from './wish.ts';

/** An application that someone declared, or why it cannot be looked at. */
export type Declared =
  | { readonly type: 'application'; readonly application: Application }
  /** The application as far as it is known. */
  | { readonly type: 'invalid'; readonly application: Application; readonly message: string };

/** Why an application is looked at. It changes nothing about the look: that is always the same. */
export type Trigger = 'declared' | 'live' | 'kinds' | 'git' | 'asked' | 'sweep' | 'retry';

export interface ControllerOptions {
  readonly ports: Ports;
  readonly standings: Pick<Standings, 'declarers'>;
  /** Of looks: its keys are ids of applications. */
  readonly queue: WorkQueue;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly on?: {
    triggered?(id: string, trigger: Trigger): void;
    looked?(id: string, look: Reconciled & { readonly ms: number }): void;
    /** There is nothing to look at before its Git server has answered. */
    waits?(id: string): void;
    /** A look has ended, however it did. */
    ended?(): void;
  };
}

export interface Pace {
  /** A verdict that was wanted and has not come for three of these is worth nothing. */
  readonly intervalMs: number;
  /** So often everything is looked at without a reason. */
  readonly sweepMs: number;
  /** No look takes longer. */
  readonly lookMs: number;
}

/** Which applications are looked at, and when. */
export interface Controller {
  /** There is such an application, perhaps another than before. */
  declare(declared: Declared): void;
  withdraw(id: string): void;
  liveChanged(key: ResourceKey): void;
  /** What the cluster serves is not what it was. */
  kindsChanged(): void;
  /** These references stand for other commits, or could not be asked for. */
  moved(isMeant: (source: { readonly repository: string; readonly revision: string }) => boolean): void;
  /** Somebody wants to know now. False where there is no such application. */
  ask(id: string): boolean;
  /** Those whose records are worth nothing, and it could not be recorded. */
  unrecorded(): readonly string[];
  start(): void;
  stop(): Promise<void>;
}

interface Entry {
  readonly declared: Declared;
  /** Of looks; that of the application, however often it is declared anew. */
  readonly wish: Wish;
  /** Nothing is known of it any more, and whether that is on record. */
  givenUp: 'recorded' | 'unrecorded' | undefined;
  cancelNext: () => void;
}

const retry = { baseMs: 1000, maxMs: 15 * 60_000 };
// Of all applications together: a storm in the whole cluster must not become a storm of ours.
const pacing = { perSecond: 100, burst: 500 };
const spread = 0.2;

export function createController({ ports, standings, queue, clock, pace, on = {} }: ControllerOptions): Controller {
  const entries = new Map<string, Entry>();
  const patience = createPatience(clock.monotonic);
  const limit = createRateLimit({ ...pacing, now: clock.monotonic, setTimer: clock.setTimer });
  const failures = new Map<string, number>();
  let cancelWatchdog: () => void = () => undefined;
  let isStopped = false;

  function want(id: string, trigger: Trigger, delayMs = 0): void {
    const entry = entries.get(id);
    if (entry === undefined || isStopped) return;
    on.triggered?.(id, trigger);
    entry.wish.wanted(clock.monotonic() + delayMs);
    // A queue that is full or closing has its own say; the sweep asks again.
    queue.add(id, { delayMs }).catch(() => schedule(id, entry, { delayMs: pace.intervalMs }));
  }

  function schedule(id: string, entry: Entry, { delayMs, trigger = 'sweep' }: { readonly delayMs: number; readonly trigger?: Trigger }): void {
    entry.cancelNext();
    entry.cancelNext = isStopped ? () => undefined : clock.setTimer(() => want(id, trigger), delayMs);
  }

  async function lookAt(id: string, signal: AbortSignal): Promise<void> {
    await limit.take(signal);
    const entry = entries.get(id);
    if (entry === undefined) return;
    const { declared } = entry;
    const [started, startedAt] = [clock.monotonic(), clock.now()];
    entry.wish.begun(started);
    try {
      const asLongAsDeclared = { ...ports, mayWrite: () => mayStillAct(id, entry) };
      if (declared.type === 'invalid') {
        await withDeadline(signal, (bounded) => lookAtInvalid(declared, asLongAsDeclared, bounded));
        settle(id, entry, { startedAt });
        return;
      }
      const look = await withDeadline(signal, (bounded) => reconcile(declared.application, asLongAsDeclared, bounded));
      on.looked?.(id, { ...look, ms: clock.monotonic() - started });
      settle(id, entry, { startedAt, look });
    } catch (error) {
      entry.wish.failed();
      if (!(error instanceof StillAsking)) throw error;
      on.waits?.(id);
      // Its answer asks for a look, if it comes.
      if (entries.get(id) === entry) schedule(id, entry, { delayMs: pace.intervalMs, trigger: 'retry' });
    } finally {
      on.ended?.();
    }
  }

  /** Whoever deletes an application, pauses it or changes its policy has the last word over a look that is under way. */
  function mayStillAct(id: string, entry: Entry): void {
    ports.mayWrite();
    if (entries.get(id) !== entry) throw new SetpointError('ObjectUnsettled', `the application ${id} was changed or deleted meanwhile`);
  }

  /** A look has ended: what it answered is answered, and the next one has its time. */
  function settle(id: string, entry: Entry, { startedAt, look }: { readonly startedAt: Date; readonly look?: Reconciled }): void {
    entry.wish.answered();
    if (entries.get(id) !== entry) return;
    // Which of the two is recorded last nobody knows.
    if (entry.givenUp !== undefined) want(id, 'retry');
    entry.givenUp = undefined;
    if (look?.waitMs !== undefined && !look.lookAgainSoon) {
      failures.delete(id);
      schedule(id, entry, { delayMs: Math.min(look.waitMs, untilNext(declaredPause(entry), startedAt)), trigger: 'retry' });
      return;
    }
    if (look?.lookAgainSoon !== true) {
      failures.delete(id);
      schedule(id, entry, { delayMs: untilNext(declaredPause(entry), startedAt) });
      return;
    }
    const count = failures.get(id) ?? 0;
    failures.set(id, count + 1);
    const longest = Math.min(retry.maxMs, retry.baseMs * 2 ** Math.min(count, 20));
    schedule(id, entry, { delayMs: longest * (0.5 + clock.random() / 2), trigger: 'retry' });
  }

  /** The end of a pause is waited for, also where it came while the look was under way. */
  function untilNext(pausedUntil: string | undefined, startedAt: Date): number {
    const sweep = pace.sweepMs * (1 - spread + 2 * spread * clock.random());
    const end = pausedUntil === undefined ? Number.NaN : Date.parse(pausedUntil);
    return end > startedAt.getTime() ? Math.min(sweep, Math.max(0, end - clock.now().getTime())) : sweep;
  }

  /** A queue that closes asks to come to an end; a deadline does not ask. */
  async function withDeadline<T>(closing: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    const stop = (): void => ending.abort(stopping);
    const cancel = clock.setTimer(() => ending.abort(new Error(`a look took longer than ${pace.lookMs} ms`)), pace.lookMs);
    closing.addEventListener('abort', stop, { once: true });
    if (closing.aborted) stop();
    try {
      return await work(ending.signal);
    } finally {
      cancel();
      closing.removeEventListener('abort', stop);
    }
  }

  /** What was wanted long ago and has not come: whoever reads the status must not take the old one for the answer. */
  function watchOverLooks(): void {
    const now = clock.monotonic();
    for (const entry of entries.values()) {
      const since = entry.wish.since();
      if (since === undefined || now - since < staleIntervals * pace.intervalMs || entry.givenUp === 'recorded') continue;
      void giveUp(entry, new Date(clock.now().getTime() - (now - since)));
    }
    cancelWatchdog = isStopped ? () => undefined : clock.setTimer(watchOverLooks, pace.intervalMs);
  }

  async function giveUp(entry: Entry, since: Date): Promise<void> {
    entry.givenUp = 'unrecorded';
    try {
      const { application } = entry.declared;
      await recordUnknown({ application, code: 'NotObserved', message: `a look that was wanted at ${since.toISOString()} has not ended`, isAnswer: false }, ports);
      // It may have come after all.
      if (entry.givenUp !== undefined) entry.givenUp = 'recorded';
    } catch {
      // The next round tries again; meanwhile whoever vouches for the records leaves this one out.
    }
  }

  return {
    declare(declared) {
      const { id } = declared.application;
      const before = entries.get(id);
      if (before !== undefined && isAlike(before.declared, declared)) return;
      before?.cancelNext();
      entries.set(id, { declared, wish: before?.wish ?? createWish(), givenUp: before?.givenUp, cancelNext: () => undefined });
      want(id, 'declared');
    },
    withdraw(id) {
      entries.get(id)?.cancelNext();
      entries.delete(id);
      failures.delete(id);
      patience.forget(id);
    },
    liveChanged(key) {
      for (const id of standings.declarers(key)) want(id, 'live', patience.delayMs(id));
    },
    kindsChanged() {
      for (const id of entries.keys()) want(id, 'kinds', patience.delayMs(id));
    },
    moved(isMeant) {
      for (const [id, { declared }] of entries) {
        if (declared.type === 'application' && declared.application.sources.some(isMeant)) want(id, 'git', patience.delayMs(id));
      }
    },
    ask(id) {
      if (!entries.has(id)) return false;
      failures.delete(id);
      want(id, 'asked');
      return true;
    },
    unrecorded: () => [...entries].flatMap(([id, { givenUp }]) => (givenUp === 'unrecorded' ? [id] : [])),
    start() {
      queue.start(lookAt);
      cancelWatchdog = clock.setTimer(watchOverLooks, pace.intervalMs);
    },
    async stop() {
      isStopped = true;
      cancelWatchdog();
      for (const { cancelNext } of entries.values()) cancelNext();
      await queue.close();
    },
  };
}

function isAlike(before: Declared, now: Declared): boolean {
  return canonicalJson(before as unknown as Json) === canonicalJson(now as unknown as Json);
}

function declaredPause({ declared }: Entry): string | undefined {
  return declared.type === 'application' ? declared.application.pause?.until : undefined;
}


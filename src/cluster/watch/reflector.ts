import { atStart, nextAttempt, type AttemptEnd } from './next-attempt.ts';
import { createOutage } from './outage.ts';
import { createPause } from './pause.ts';
import { createPlaceView, type PlaceViewOptions } from './place-view.ts';
import { describePlace } from './place.ts';
import type { TakeTurn } from './turns.ts';
import { silentWatch } from './watch-failure.ts';

export interface ReflectorOptions extends Omit<PlaceViewOptions, 'opened'> {
  /** Lists wait for their turn: many at once would time out waiting for a connection. */
  readonly takeTurn: TakeTurn;
  /** A list or a watch has come to an end, well or badly, and what follows from that has been noted. */
  readonly attempted: () => void;
}

export interface Reflector {
  /** The version up to which everything has been seen. */
  readonly seenUpTo: string;
  readonly lastEventAt: Date | undefined;
  /** Has the place listed anew, now if it is being watched, else before it is watched again. */
  relist(): void;
  /** Does not wait the whole time for a kind to be served. */
  retrySoon(): void;
  stop(): Promise<void>;
}

/** Keeps one place in sight for ever: lists it, watches it from there, and begins again wherever that broke. */
export function createReflector(options: ReflectorOptions): Reflector {
  const { place, chance, log, health, takeTurn, attempted } = options;
  const outage = createOutage(describePlace(place), log);
  const view = createPlaceView({ ...options, opened: outage.isOver });
  const pause = createPause();
  const stopping = new AbortController();
  const { signal } = stopping;
  let progress = atStart;
  let wantsList = false;
  let listedSince = 0;
  let watching: AbortController | undefined;

  const list = async (): Promise<AttemptEnd> => {
    wantsList = false;
    progress = { ...progress, position: undefined };
    const end = await view.list(signal);
    if (end.type === 'listed') listedSince = performance.now();
    return end;
  };
  const watch = async (position: string): Promise<AttemptEnd> => {
    watching = new AbortController();
    const stop = (): void => watching?.abort();
    signal.addEventListener('abort', stop, { once: true });
    const end = await view.watch(position, watching.signal);
    signal.removeEventListener('abort', stop);
    watching = undefined;
    progress = { ...progress, position: view.seenUpTo };
    return end;
  };
  const account = (end: AttemptEnd): void => {
    if (end.type === 'listed' || end.type === 'closed') return;
    view.lost();
    if (end.type === 'unreadable') log.warn('what the cluster sent cannot be read: it is listed anew', { place: describePlace(place) });
    if (end.type === 'silent') health.failed(silentWatch(place, chance.pacing.idleMs));
    if (end.type !== 'failed') return;
    health.failed(end.failure);
    outage.goesOn(end.failure, progress.failures);
  };
  const attempt = async (): Promise<void> => {
    const { position } = progress;
    const isDue = wantsList || performance.now() - listedSince > chance.pacing.relistMs;
    const end = position === undefined || isDue ? await takeTurn(list) : await watch(position);
    if (signal.aborted) return;
    const next = nextAttempt(progress, end, chance);
    ({ progress } = next);
    account(end);
    attempted();
    await pause.wait(next.delayMs, signal);
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await attempt();
      } catch (error) {
        log.error('watch failed for a reason of its own', { place: describePlace(place), reason: String(error) });
        await pause.wait(chance.pacing.backoff.maxMs, signal);
      }
    }
  };
  const ended = run();

  return {
    get seenUpTo() {
      return view.seenUpTo;
    },
    get lastEventAt() {
      return view.lastEventAt;
    },
    relist() {
      wantsList = true;
      watching?.abort();
    },
    retrySoon() {
      if (health.state === 'not-served') pause.shorten(chance.pacing.backoff.baseMs);
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

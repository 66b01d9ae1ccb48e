/** What a watch showed last of each object, and when. */
export interface Sightings<T> {
  readonly latest: ReadonlyMap<string, T>;
  /** Called with each sighting until it is let go. */
  listen(listener: Listener<T>): Disposable;
  /** The moment at which the next sighting of this object matches. */
  next(name: string, wanted: Wanted<T>): Promise<number>;
  /** The moment at which all of these were last seen to match; those that do already are not waited for. */
  all(names: Iterable<string>, wanted: Wanted<T>): Promise<number>;
}

export interface Wanted<T> {
  /** As it should read in the failure: "waited 60 s for …". */
  readonly what: string;
  readonly matches: (seen: T) => boolean;
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

type Listener<T> = (name: string, seen: T, at: number) => void;

export interface RecordedSightings<T> extends Sightings<T> {
  see(name: string, seen: T, at: number): void;
}

export function createSightings<T>(): RecordedSightings<T> {
  const latest = new Map<string, T>();
  const listeners = new Set<Listener<T>>();

  function listen(listener: Listener<T>): Disposable {
    listeners.add(listener);
    return { [Symbol.dispose]: () => void listeners.delete(listener) };
  }

  /** Until none is left. */
  async function untilSeen(left: Set<string>, { what, matches, withinMs, signal }: Wanted<T>): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const asItIs = (): string => [...left].slice(0, 3).map((name) => `${name}: ${JSON.stringify(latest.get(name))}`).join(', ');
    const timer = setTimeout(() => reject(new Error(`waited ${withinMs / 1000} s for ${what}; ${left.size} are not: ${asItIs()}`)), withinMs);
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    const listening = listen((name, seen, at) => {
      if (matches(seen) && left.delete(name) && left.size === 0) resolve(at);
    });
    try {
      signal.throwIfAborted();
      return await promise;
    } finally {
      listening[Symbol.dispose]();
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    latest,
    listen,
    next: (name, wanted) => untilSeen(new Set([name]), wanted),
    async all(names, wanted) {
      const left = new Set([...names].filter((name) => {
        const seen = latest.get(name);
        return seen === undefined || !wanted.matches(seen);
      }));
      return left.size === 0 ? performance.now() : untilSeen(left, wanted);
    },
    see(name, seen, at) {
      latest.set(name, seen);
      for (const listener of [...listeners]) listener(name, seen, at);
    },
  };
}

/** How much may be under way at once. */
export interface Room {
  /** Waits for a place, in order. What it gives frees the place, once. */
  enter(signal: AbortSignal): Promise<() => void>;
}

export function createRoom(places: number): Room {
  let free = places;
  const waiting: (() => void)[] = [];
  const leaveOnce = (): (() => void) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    };
  };
  return {
    enter: async (signal) => {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else await waitForTurn(waiting, signal);
      return leaveOnce();
    },
  };
}

async function waitForTurn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = (): void => {
    const at = waiting.indexOf(resolve);
    // Called already: the place is ours, and is left like any other.
    if (at === -1) return;
    waiting.splice(at, 1);
    reject(signal.reason);
  };
  waiting.push(resolve);
  signal.addEventListener('abort', giveUp, { once: true });
  await promise.finally(() => signal.removeEventListener('abort', giveUp));
}

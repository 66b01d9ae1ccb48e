export interface Bell {
  readonly ring: () => void;
  /** Until it has rung since this was called, or the time is over. */
  wait(forMs: number, signal: AbortSignal): Promise<void>;
}

export function createBell(): Bell {
  const waiting = new Set<() => void>();
  return {
    ring() {
      for (const wake of waiting) wake();
    },
    wait: (forMs, signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, forMs);
        signal.addEventListener('abort', wake, { once: true });
        waiting.add(wake);
        if (signal.aborted) wake();
      }),
  };
}

/** Calls back once after the delay, unless the function it returns is called first. */
export type SetTimer = (callback: () => void, delayMs: number) => () => void;

/** Ends after the delay or with the signal, whichever comes first. */
export function pause(setTimer: SetTimer, delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || delayMs <= 0) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => {
    cancel();
    signal.removeEventListener('abort', end);
    resolve();
  };
  const cancel = setTimer(end, delayMs);
  signal.addEventListener('abort', end, { once: true });
  return promise;
}

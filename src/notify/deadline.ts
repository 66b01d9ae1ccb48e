/** Calls back once after the delay, unless the function it returns is called first. */
export type SetTimer = (callback: () => void, delayMs: number) => () => void;

export const setSystemTimer: SetTimer = (callback, delayMs) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};

export interface Deadline {
  readonly ms: number;
  readonly setTimer: SetTimer;
}

export interface Limit extends Disposable {
  /** Aborted when the time is over or the caller gave up. */
  readonly signal: AbortSignal;
  /** Settles then, and never before. */
  readonly over: Promise<'late' | 'stopped'>;
}

/** One limit for everything that belongs to one attempt. */
export function startLimit({ ms, setTimer }: Deadline, outer: AbortSignal): Limit {
  const controller = new AbortController();
  const { promise: over, resolve } = Promise.withResolvers<'late' | 'stopped'>();
  const end = (how: 'late' | 'stopped') => (): void => {
    resolve(how);
    controller.abort();
  };
  const [late, stopped] = [end('late'), end('stopped')];
  const cancel = setTimer(late, ms);
  outer.addEventListener('abort', stopped, { once: true });
  if (outer.aborted) stopped();
  return {
    signal: controller.signal,
    over,
    [Symbol.dispose]() {
      cancel();
      outer.removeEventListener('abort', stopped);
    },
  };
}

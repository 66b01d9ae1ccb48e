/** Calls back once after the delay, unless the function it returns is called first. */
export type SetTimer = (callback: () => void, delayMs: number) => () => void;

export const setSystemTimer: SetTimer = (callback, delayMs) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};

interface Deadline {
  readonly ms: number;
  readonly setTimer: SetTimer;
}

/** The work's own outcome, or `late`; then its signal is aborted, and what becomes of it is nobody's concern. */
export async function within<T>(work: (signal: AbortSignal) => T | Promise<T>, { ms, setTimer }: Deadline): Promise<{ readonly type: 'done'; readonly value: T } | { readonly type: 'late' }> {
  const controller = new AbortController();
  const late = Promise.withResolvers<{ readonly type: 'late' }>();
  const cancel = setTimer(() => {
    late.resolve({ type: 'late' });
    controller.abort();
  }, ms);
  const done = async (): Promise<{ readonly type: 'done'; readonly value: T }> => ({ type: 'done', value: await work(controller.signal) });
  try {
    return await Promise.race([done(), late.promise]);
  } finally {
    cancel();
  }
}

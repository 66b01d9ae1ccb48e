/**
 * One piece of work for all who want its result. It runs under the signal of who came first; when that one gives up, the next
 * who waits takes it over. A result is kept, a failure is not.
 */
export function createSharedWork<T>(work: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let current: { readonly result: Promise<T>; readonly signal: AbortSignal } | undefined;
  return async (signal) => {
    for (;;) {
      signal.throwIfAborted();
      const attempt = (current ??= { result: work(signal), signal });
      try {
        return await attempt.result;
      } catch (error) {
        if (current === attempt) current = undefined;
        if (!attempt.signal.aborted || signal.aborted) throw error;
      }
    }
  };
}

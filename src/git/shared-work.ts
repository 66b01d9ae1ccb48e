export interface SharedWork<Result, Part> {
  /** Joins work of that key that is under way, or starts it. It is given up when all who wait for it have given up. */
  join(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<Result>): Promise<Part>;
}

interface Waiting<Part> {
  readonly resolve: (part: Part) => void;
  readonly reject: (error: Error) => void;
}

/** `part` is called once per caller, at the moment the work is done and before `after`. */
export function createSharedWork<Result, Part>(part: (result: Result) => Part, after: (result: Result) => void = () => undefined): SharedWork<Result, Part> {
  const underWay = new Map<string, { readonly waiting: Set<Waiting<Part>>; readonly abort: AbortController }>();

  async function carryOut(key: string, start: (signal: AbortSignal) => Promise<Result>): Promise<void> {
    const work = { waiting: new Set<Waiting<Part>>(), abort: new AbortController() };
    underWay.set(key, work);
    const finish = (how: (one: Waiting<Part>) => void): void => {
      if (underWay.get(key) === work) underWay.delete(key);
      for (const one of work.waiting) how(one);
    };
    try {
      const result = await start(work.abort.signal);
      finish(({ resolve }) => resolve(part(result)));
      after(result);
    } catch (error) {
      finish(({ reject }) => reject(error as Error));
    }
  }

  return {
    join(key, signal, start) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (!underWay.has(key)) void carryOut(key, start);
      const work = underWay.get(key);
      const { promise, resolve, reject } = Promise.withResolvers<Part>();
      const one = { resolve, reject };
      const leave = (): void => {
        work?.waiting.delete(one);
        reject(signal.reason as Error);
        if (work?.waiting.size !== 0) return;
        // Who comes now starts anew rather than sharing what is being stopped.
        if (underWay.get(key) === work) underWay.delete(key);
        work.abort.abort(signal.reason);
      };
      work?.waiting.add(one);
      signal.addEventListener('abort', leave);
      return promise.finally(() => signal.removeEventListener('abort', leave));
    },
  };
}

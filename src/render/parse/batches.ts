/** Gathers files to batches that are read while the next one is gathered. A batch takes its place before its first file is loaded. */
export interface Batches<T> {
  /** Waits until one more file may be held in memory. Throws what a batch before failed with. */
  room(): Promise<void>;
  add(item: T, bytes: number): void;
  /** Until everything is read, or the signal aborts. */
  finish(): Promise<void>;
  /** Lets go of what was gathered. What is being read goes on for itself. */
  abandon(): void;
}

export interface BatchesOptions<T> {
  readonly maxBytes: number;
  readonly maxItems: number;
  readonly signal: AbortSignal;
  readonly enter: () => Promise<() => void>;
  readonly read: (batch: readonly T[]) => Promise<void>;
}

export function createBatches<T>({ maxBytes, maxItems, signal, enter, read }: BatchesOptions<T>): Batches<T> {
  const running: Promise<void>[] = [];
  const failures: unknown[] = [];
  let leave: (() => void) | undefined;
  let [items, bytes]: [T[], number] = [[], 0];

  const send = (): void => {
    const [batch, done] = [items, leave];
    [items, bytes, leave] = [[], 0, undefined];
    if (batch.length === 0) done?.();
    else running.push(read(batch).catch((error: unknown) => void failures.push(error)).finally(done));
  };
  const throwFailure = (): void => {
    if (failures.length > 0) throw failures[0];
  };

  return {
    room: async () => {
      throwFailure();
      leave ??= await enter();
    },
    add: (item, size) => {
      items.push(item);
      bytes += size;
      if (bytes >= maxBytes || items.length >= maxItems) send();
    },
    finish: async () => {
      send();
      await untilAborted(Promise.all(running), signal);
      throwFailure();
    },
    abandon: () => {
      items = [];
      send();
    },
  };
}

async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  await Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort));
}

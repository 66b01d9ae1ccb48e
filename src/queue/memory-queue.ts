import { createFailures, defaultBackoff, type Backoff } from './backoff.ts';
import { createRareWord } from './rare-word.ts';
import { endsWithin, setSystemTimer, type SetTimer } from './timer.ts';
import { checkKey, closedError, defaultCloseDeadlineMs, defaultMaxWaiting, delayOf } from './work-queue.ts';
import { fullError, fullEveryMs, reasonOf, startedTwiceError } from './work-queue.ts';
import type { QueueLog, WorkHandler, WorkQueue } from './work-queue.ts';

export interface MemoryQueueOptions {
  readonly concurrency: number;
  readonly backoff?: Backoff;
  readonly log?: QueueLog;
  readonly random?: () => number;
  readonly setTimer?: SetTimer;
  /** Milliseconds on a clock that only goes forward. */
  readonly now?: () => number;
  readonly closeDeadlineMs?: number;
  readonly maxWaiting?: number;
}

/** The queue of one process. Nothing survives a restart: whoever starts it adds every key again. */
export function createMemoryQueue(options: MemoryQueueOptions): WorkQueue {
  const { concurrency, backoff = defaultBackoff, log, random = Math.random } = options;
  const { setTimer = setSystemTimer, now = () => performance.now(), maxWaiting = defaultMaxWaiting } = options;
  const closing = new AbortController();
  const failures = createFailures(backoff, random);
  const sayFull = createRareWord(fullEveryMs, now);

  // A key is in at most one of `ready` and `delayed`, and in neither while it is under way: a wish then goes to `again`.
  // With the moment since when, oldest first.
  const ready = new Map<string, number>();
  const delayed = new Map<string, { readonly due: number; readonly cancel: () => void }>();
  const underWay = new Map<string, Promise<void>>();
  const again = new Map<string, number>();

  let handler: WorkHandler | undefined;
  let shutDown: Promise<void> | undefined;
  let isClosed = false;

  function want(key: string, due: number): void {
    if (closing.signal.aborted) return;
    if (underWay.has(key)) {
      again.set(key, Math.min(due, again.get(key) ?? due));
      return;
    }
    const waiting = delayed.get(key);
    if (ready.has(key) || (waiting !== undefined && waiting.due <= due)) return;
    waiting?.cancel();
    delayed.delete(key);
    const delayMs = due - now();
    if (delayMs > 0) {
      delayed.set(key, { due, cancel: setTimer(() => timeIsUp(key, due), delayMs) });
    } else {
      ready.set(key, now());
      takeKeys();
    }
  }

  function checkRoom(key: string): void {
    if (ready.size + delayed.size < maxWaiting || ready.has(key) || delayed.has(key) || underWay.has(key)) return;
    sayFull((refused) => log?.error('the work queue is full and refuses keys', { waiting: maxWaiting, refused }));
    throw fullError(maxWaiting);
  }

  /** Asks the clock once more: timers count from the start of the event loop's turn and fire early after a long one. */
  function timeIsUp(key: string, due: number): void {
    delayed.delete(key);
    want(key, due);
  }

  function takeKeys(): void {
    if (handler === undefined || closing.signal.aborted) return;
    for (const key of ready.keys()) {
      if (underWay.size >= concurrency) return;
      ready.delete(key);
      underWay.set(key, work(key, handler));
    }
  }

  async function work(key: string, handle: WorkHandler): Promise<void> {
    // Leaves takeKeys() first, so that a handler which adds keys finds this one under way.
    await Promise.resolve();
    try {
      await handle(key, closing.signal);
      failures.succeeded(key);
    } catch (error) {
      retryLater(key, error);
    }
    underWay.delete(key);
    const due = again.get(key);
    again.delete(key);
    if (due !== undefined) want(key, due);
    takeKeys();
  }

  function retryLater(key: string, error: unknown): void {
    if (closing.signal.aborted) return;
    const failure = failures.failed(key, error);
    log?.warn('work failed and is tried again', { key, ...failure, reason: reasonOf(error) });
    want(key, now() + failure.retryInMs);
  }

  async function letGo(): Promise<void> {
    closing.abort();
    for (const { cancel } of delayed.values()) cancel();
    delayed.clear();
    ready.clear();
    const deadlineMs = options.closeDeadlineMs ?? defaultCloseDeadlineMs;
    if (!(await endsWithin(Promise.all(underWay.values()), deadlineMs, setTimer))) {
      log?.warn('work did not stop in time and was left behind', { keys: [...underWay.keys()], deadlineMs });
    }
    isClosed = true;
  }

  return {
    async add(key, addOptions) {
      checkKey(key);
      if (isClosed) throw closedError();
      checkRoom(key);
      want(key, now() + delayOf(addOptions));
    },
    start(newHandler) {
      if (handler !== undefined) throw startedTwiceError();
      handler = newHandler;
      takeKeys();
    },
    async stats() {
      const [since] = ready.values();
      const oldestWaitingMs = since === undefined ? 0 : now() - since;
      return { waiting: ready.size, delayed: delayed.size, underWay: underWay.size, oldestWaitingMs };
    },
    close() {
      shutDown ??= letGo();
      return shutDown;
    },
  };
}

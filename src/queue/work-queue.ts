import { SetpointError } from '../model/index.ts';

export type WorkHandler = (key: string, signal: AbortSignal) => Promise<void>;

/** Keys waiting to be worked on. A key says which, never what happened. */
export interface WorkQueue {
  /**
   * Wants `key` worked on, at once or after a delay. A key that already waits is not added twice; one being worked on
   * runs once more afterwards.
   */
  add(key: string, options?: { readonly delayMs?: number }): Promise<void>;
  /**
   * Starts taking keys. A handler that throws has its key tried again with growing delays, for ever; see Backoff. The
   * signal is aborted when the queue closes with work under way.
   */
  start(handler: WorkHandler): void;
  stats(): Promise<QueueStats>;
  /** Takes no more keys, waits for those under way (bounded by its own deadline), and lets go of everything. */
  close(): Promise<void>;
}

/** A key that is wanted again while it is under way counts once, as under way. */
export interface QueueStats {
  /** Could be worked on now. */
  readonly waiting: number;
  /** Wait for their time: for a delay, or for the next try. */
  readonly delayed: number;
  readonly underWay: number;
  /** How long the one that was there first has been waiting; 0 where none is. */
  readonly oldestWaitingMs: number;
}

export interface QueueLog {
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

/** So many keys may wait, delayed ones included; a further one is refused. Retries are not: they have been taken. */
export const defaultMaxWaiting = 10_000;

/** A queue that is full says so no more often. */
export const fullEveryMs = 60_000;

/** How long close() waits for the work under way. */
export const defaultCloseDeadlineMs = 10_000;

// The longest delay that setTimeout takes; it fires at once when given more.
const longestDelayMs = 2 ** 31 - 1;

/** Whole milliseconds from now, 0 for "at once". */
export function delayOf(options: { readonly delayMs?: number } | undefined): number {
  const delayMs = options?.delayMs ?? 0;
  return delayMs > 0 ? Math.min(Math.ceil(delayMs), longestDelayMs) : 0;
}

const longestKey = 1024;

/** What both sides of a queue agree on: `add` refuses anything else and a worker drops it. */
export function isKey(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= longestKey;
}

export function checkKey(key: string): void {
  const { length } = key;
  if (isKey(key)) return;
  throw new SetpointError('Internal', `A queue key has 1 to ${longestKey} characters; this one has ${length}.`);
}

export function closedError(): SetpointError {
  return new SetpointError('QueueUnavailable', 'The work queue is closed; nothing more can be added to it.');
}

export function fullError(maxWaiting: number): SetpointError {
  return new SetpointError('QueueUnavailable', `The work queue is full: ${maxWaiting} keys wait in it, and no more may.`);
}

export function startedTwiceError(): SetpointError {
  return new SetpointError('Internal', 'The work queue was started twice; it has one handler.');
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

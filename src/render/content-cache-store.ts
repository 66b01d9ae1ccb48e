import { rewrite, writeAll, type LogFile } from './content-cache-file.ts';
import { encodeRecord, type Place } from './content-cache-log.ts';
import { packValue, unpackValue } from './content-cache-value.ts';
import { createWindow } from './content-cache-window.ts';
import type { ContentCache } from './content-cache.ts';
import { createTurns } from './parse/turns.ts';

export interface StoreOptions {
  readonly path: string;
  readonly log: LogFile;
  readonly maxBytes: number;
  /** Whether the lock is ours. */
  readonly isOwner: () => boolean;
  readonly onProblem: (what: string, error: unknown) => void;
}

const flushMs = 50;
const flushChars = 256 * 1024;
// More than that waits only for a disk that hangs.
const waitingChars = 64 * 1024 * 1024;
const smallBytes = 64 * 1024;

/** A cache upon an open log. One thing is written at a time; reads go on meanwhile. */
export function createStore({ path, log: opened, maxBytes, isOwner, onProblem }: StoreOptions): ContentCache {
  const turns = createTurns();
  // Thousands may be asked for in one moment: none takes long, all of them together do.
  const unpacking = createTurns();
  let log = opened;
  let window = createWindow(log.handle);
  let [broken, closed] = [false, false];
  /** Not yet in the log, or just being written to it. */
  const waiting = new Map<string, string>();
  let [chars, timer]: [number, NodeJS.Timeout | undefined] = [0, undefined];
  let writing: Promise<void> = Promise.resolve();

  const mayWrite = (): boolean => isOwner() && !broken;
  const attempt = async (before: Promise<void>, work: () => Promise<void>): Promise<void> => {
    await before;
    try {
      if (mayWrite()) await work();
    } catch (error) {
      broken = true;
      onProblem('is not written any more', error);
      await log.handle.truncate(log.end).catch(() => undefined);
    }
    if (!mayWrite()) waiting.clear();
  };
  /** In order, and a failure is the end of all writing. */
  const write = (work: () => Promise<void>): Promise<void> => (writing = attempt(writing, work));

  const append = async (): Promise<void> => {
    const texts = [...waiting];
    const records: Buffer[] = [];
    const places = new Map<string, Place>();
    let end = log.end;
    for (const [key, text] of texts) {
      const { bytes, place } = encodeRecord(key, await turns.run(() => packValue(text)), end);
      records.push(bytes);
      places.set(key, place);
      end = place.end;
    }
    await writeAll(log.handle, Buffer.concat(records), log.end);
    log.end = end;
    for (const [key, place] of places) {
      // Last in the order, as it is in the file.
      log.places.delete(key);
      log.places.set(key, place);
    }
    // Unless it was replaced meanwhile.
    for (const [key, text] of texts) if (waiting.get(key) === text) waiting.delete(key);
    chars = [...waiting.values()].reduce((sum, { length }) => sum + length, 0);
    if (log.end > maxBytes) await compact(newestWithin(log, maxBytes * 0.75));
    else if (log.end > smallBytes && isMostlyDead(log)) await compact([...log.places.keys()]);
  };
  const compact = async (keys: readonly string[]): Promise<void> => {
    const before = { log, window };
    log = await rewrite(path, log, keys);
    window = createWindow(log.handle);
    await before.window.settle();
    await before.log.handle.close();
  };
  const enqueue = (key: string, text: string): void => {
    if (closed || !mayWrite() || chars > waitingChars) return;
    chars += text.length - (waiting.get(key)?.length ?? 0);
    waiting.set(key, text);
    if (chars >= flushChars && timer !== undefined) void flush();
    else timer ??= setTimeout(() => void flush(), flushMs).unref();
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    return write(async () => {
      if (waiting.size > 0) await append();
    });
  };

  return {
    get: async (key) => {
      const text = waiting.get(key);
      const place = log.places.get(key);
      if (text !== undefined || place === undefined || closed) return text;
      const { places, end } = log;
      try {
        const bytes = await window.read(place.valueAt, place.end - place.valueAt, end);
        const value = await unpacking.run(() => unpackValue(bytes, place));
        if (value !== undefined) return value;
      } catch {
        // As good as absent.
      }
      if (places.get(key) === place) places.delete(key);
      return undefined;
    },
    put: (key, text) => {
      if (!waiting.has(key) && !log.places.has(key)) enqueue(key, text);
    },
    replace: enqueue,
    close: async () => {
      if (closed) return;
      await flush();
      closed = true;
      await window.settle();
      await log.handle.close();
    },
  };
}

/** What was replaced stays in the file until more than half of it is of no use. */
function isMostlyDead({ places, end }: LogFile): boolean {
  const live = [...places.values()].reduce((sum, place) => sum + place.end - place.start, 0);
  return end - live > end / 2;
}

/** As many of the newest as fit, oldest first. */
function newestWithin({ places }: LogFile, maxBytes: number): readonly string[] {
  const all = [...places];
  let [first, bytes] = [all.length, 0];
  while (first > 0) {
    const place = all[first - 1]?.[1];
    bytes += place === undefined ? 0 : place.end - place.start;
    if (bytes > maxBytes) break;
    first -= 1;
  }
  return all.slice(first).map(([key]) => key);
}

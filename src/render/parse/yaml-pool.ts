import { SetpointError } from '../../model/index.ts';
import type { YamlFinding } from '../yaml/yaml-finding.ts';
import { createYamlThread, type End, type ThreadLimits, type YamlThread } from './yaml-thread.ts';
import type { FailedFile, ReadFile } from './worker-messages.ts';

/** Refused is what time or memory did not suffice for: another day it may be read, so nobody keeps it. */
export type FileText = ReadFile | { readonly type: 'refused'; readonly code: YamlFinding['code']; readonly message: string };

export interface PoolOptions extends ThreadLimits {
  readonly threads: number;
  /** After that long without work a thread is given up, and its memory with it. */
  readonly idleMs: number;
}

/** Threads that read files: started when they are needed, replaced when a file ends one, stopped when they are idle. */
export interface YamlPool {
  isRunning(): boolean;
  read(contents: readonly Uint8Array[], signal: AbortSignal): Promise<readonly FileText[]>;
  close(): Promise<void>;
}

interface Seat {
  thread: YamlThread | undefined;
  idle: NodeJS.Timeout | undefined;
}

export function createYamlPool(options: PoolOptions): YamlPool {
  const seats: Seat[] = Array.from({ length: options.threads }, () => ({ thread: undefined, idle: undefined }));
  const free = [...seats];
  const waiting: ((seat: Seat) => void)[] = [];
  let closed = false;

  const refuseClosed = (): void => {
    if (closed) throw new SetpointError('Internal', 'the YAML reader is closed');
  };
  const leave = (seat: Seat): void => {
    const next = waiting.shift();
    if (next !== undefined) {
      next(seat);
      return;
    }
    // The one with a thread first.
    if (seat.thread === undefined) free.push(seat);
    else free.unshift(seat);
    seat.idle = setTimeout(() => void stopThread(seat), options.idleMs).unref();
  };
  const enter = async (): Promise<Seat> => {
    const seat = free.shift() ?? (await new Promise<Seat>((resolve) => waiting.push(resolve)));
    clearTimeout(seat.idle);
    return seat;
  };

  /** Until the first end of the thread. Null stands for a file that is still to be read. */
  const readSome = async (contents: readonly Uint8Array[], signal: AbortSignal): Promise<readonly (FileText | null)[]> => {
    const seat = await enter();
    try {
      signal.throwIfAborted();
      refuseClosed();
      seat.thread ??= createYamlThread(options);
      const { files, end } = await seat.thread.run(contents);
      refuseClosed();
      if (end !== undefined) seat.thread = undefined;
      const texts = files.map((file) => (file === undefined ? null : acceptText(file)));
      if (end?.at !== undefined && texts[end.at] === null) texts[end.at] = refusal(end, options);
      else if (end !== undefined && !texts.some((text) => text !== null)) {
        throw new SetpointError('Internal', 'the thread that reads YAML ended before it read anything', { cause: end.cause });
      }
      return texts;
    } finally {
      leave(seat);
    }
  };

  return {
    isRunning: () => seats.some(({ thread }) => thread !== undefined),
    read: async (contents, signal) => {
      const texts: (FileText | null)[] = contents.map(() => null);
      for (let left = [...contents.keys()]; left.length > 0; left = left.filter((position) => texts[position] === null)) {
        const some = await readSome(left.flatMap((position) => contents[position] ?? []), signal);
        for (const [order, text] of some.entries()) texts[left[order] ?? 0] = text;
      }
      return texts.filter((text) => text !== null);
    },
    close: async () => {
      closed = true;
      await Promise.all(seats.map(stopThread));
    },
  };
}

async function stopThread(seat: Seat): Promise<void> {
  clearTimeout(seat.idle);
  const { thread } = seat;
  seat.thread = undefined;
  await thread?.stop();
}

export function acceptText(file: ReadFile | FailedFile): FileText {
  if (file.type === 'read') return file;
  return { type: 'refused', code: 'unreadable', message: `our YAML reader failed on this file (${file.error}): please report it` };
}

function refusal({ reason }: End, { deadlineMs, heapMb }: ThreadLimits): FileText {
  switch (reason) {
    case 'slow':
      return { type: 'refused', code: 'too-slow', message: `the file takes longer than ${deadlineMs / 1000} s to read` };
    case 'memory':
      return { type: 'refused', code: 'too-much-memory', message: `the file takes more than ${heapMb} MB of memory to read` };
    case 'broken':
      return { type: 'refused', code: 'unreadable', message: 'our YAML reader ended while it read this file: please report it' };
  }
}

import type { FileHandle } from 'node:fs/promises';

/** Reads small pieces of a file in few large ones: values that were written together are asked for together. */
export interface Window {
  read(at: number, bytes: number, fileEnd: number): Promise<Buffer>;
  /** Waits for the reads that are under way. */
  settle(): Promise<void>;
}

const windowBytes = 256 * 1024;

export function createWindow(handle: FileHandle): Window {
  const running = new Set<Promise<Buffer>>();
  let window: { readonly from: number; readonly to: number; readonly bytes: Promise<Buffer> } | undefined;
  const load = (from: number, to: number): Promise<Buffer> => {
    const bytes = readAll(handle, from, to).finally(() => running.delete(bytes));
    running.add(bytes);
    return bytes;
  };
  return {
    read: async (at, length, fileEnd) => {
      if (length > windowBytes) return await load(at, at + length);
      if (window === undefined || at < window.from || at + length > window.to) {
        const to = Math.min(at + windowBytes, fileEnd);
        window = { from: at, to, bytes: load(at, to) };
      }
      const used = window;
      try {
        return (await used.bytes).subarray(at - used.from, at - used.from + length);
      } catch (error) {
        if (window === used) window = undefined;
        throw error;
      }
    },
    settle: async () => {
      await Promise.allSettled(running);
    },
  };
}

async function readAll(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(to - from);
  let done = 0;
  while (done < buffer.length) {
    const { bytesRead } = await handle.read(buffer, done, buffer.length - done, from + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}

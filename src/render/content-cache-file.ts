import { constants } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { logMagic, scanLog, type Place } from './content-cache-log.ts';

/** An open log: its bytes, and where each key's value is, oldest first. */
export interface LogFile {
  readonly handle: FileHandle;
  readonly places: Map<string, Place>;
  /** Behind the last whole record. */
  end: number;
}

const copyBytes = 1024 * 1024;

/** Undefined where there is none, or none of ours. */
export async function openForReading(path: string): Promise<LogFile | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  return await closingOnFailure(handle, async () => {
    const found = await scanLog(handle);
    if (found === undefined) await handle.close();
    return found === undefined ? undefined : { handle, ...found };
  });
}

/** The log with its torn end cut off, or a new one in the place of something else. */
export async function openForWriting(path: string): Promise<LogFile> {
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  return await closingOnFailure(handle, async () => {
    if (!(await handle.stat()).isFile()) throw new Error(`${path} is no regular file`);
    await handle.chmod(0o600);
    const found = await scanLog(handle);
    await handle.truncate(found?.end ?? 0);
    if (found !== undefined) return { handle, ...found };
    await handle.write(logMagic, 0, logMagic.length, 0);
    return { handle, places: new Map(), end: logMagic.length };
  });
}

/** A new log in the place of this one with these records only, in their order. Who reads the old one may go on until its handle is closed. */
export async function rewrite(path: string, log: LogFile, keys: readonly string[]): Promise<LogFile> {
  const temporary = `${path}.new`;
  await rm(temporary, { force: true });
  const handle = await open(temporary, 'wx+', 0o600);
  return await closingOnFailure(handle, async () => {
    const places = new Map<string, Place>();
    await handle.write(logMagic, 0, logMagic.length, 0);
    let end = logMagic.length;
    for (const { from, to, records } of runsOf(log, keys)) {
      for (const { key, place } of records) places.set(key, shift(place, end - from));
      await copy(log.handle, handle, { from, to, at: end });
      end += to - from;
    }
    await rename(temporary, path);
    return { handle, places, end };
  });
}

interface Run {
  readonly from: number;
  to: number;
  readonly records: { readonly key: string; readonly place: Place }[];
}

/** Neighbours are copied as one. */
function runsOf({ places }: LogFile, keys: readonly string[]): readonly Run[] {
  const runs: Run[] = [];
  for (const key of keys) {
    const place = places.get(key);
    if (place === undefined) continue;
    const last = runs.at(-1);
    if (last?.to === place.start) {
      last.to = place.end;
      last.records.push({ key, place });
    } else runs.push({ from: place.start, to: place.end, records: [{ key, place }] });
  }
  return runs;
}

function shift(place: Place, by: number): Place {
  return { ...place, start: place.start + by, valueAt: place.valueAt + by, end: place.end + by };
}

async function copy(source: FileHandle, target: FileHandle, { from, to, at }: { readonly from: number; readonly to: number; readonly at: number }): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(copyBytes, to - from));
  for (let done = 0; done < to - from; ) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, to - from - done), from + done);
    if (bytesRead === 0) throw new Error('the cache became shorter while it was copied');
    await writeAll(target, buffer.subarray(0, bytesRead), at + done);
    done += bytesRead;
  }
}

/** A write may take less than it is given, as before a disk is full. */
export async function writeAll(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}

async function closingOnFailure<T>(handle: FileHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
}

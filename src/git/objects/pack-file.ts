import { open, type FileHandle } from 'node:fs/promises';
import type { ByteCache } from './byte-cache.ts';
import { CorruptError } from './corrupt.ts';
import { compressedBound, inflate, inflateInPlace, largestInPlace } from './inflate.ts';

export type ObjectKind = 'commit' | 'tree' | 'blob' | 'tag';

/** What a pack says at one place. `size` is known before anything is decompressed. */
export type PackEntry = { readonly size: number; readonly dataAt: number } & (
  | { readonly type: 'whole'; readonly kind: ObjectKind }
  | { readonly type: 'delta'; readonly base: number | Buffer }
);

/** One pack among those that share a cache. */
export interface PackAddress {
  readonly path: string;
  /** Keys of the cache: this plus a place in the pack, which is below 2 to the 40th. */
  readonly keys: number;
}

/** At once where the bytes are in memory: to wait costs more than to decompress most objects. */
export type Soon<T> = T | Promise<T>;

export interface PackFile {
  entryAt(offset: number): Soon<PackEntry>;
  contentOf(entry: PackEntry): Soon<Buffer>;
  close(): Promise<void>;
}

const windowBytes = 512 * 1024;
// Type and size in at most 10 bytes, then the id of a base or a distance in at most 20.
const entryHeaderBytes = 32;
const trailerBytes = 20;
const kinds: readonly (ObjectKind | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag'];

/** `windows` is shared by the packs of a repository: the file is read in pieces, and never whole. */
export async function openPackFile({ path, keys }: PackAddress, windows: ByteCache<Buffer>): Promise<PackFile> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const header = Buffer.alloc(12);
    await file.read(header, 0, header.length, 0);
    const version = header.readUInt32BE(4);
    if (size < header.length + trailerBytes || header.toString('latin1', 0, 4) !== 'PACK' || (version !== 2 && version !== 3)) {
      throw new CorruptError('a pack does not start as one');
    }
    return createPackFile({ keys, file, size, windows });
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface Opened {
  readonly keys: number;
  readonly file: FileHandle;
  readonly size: number;
  readonly windows: ByteCache<Buffer>;
}

function createPackFile({ keys, file, size, windows }: Opened): PackFile {
  const end = size - trailerBytes;

  /** Fewer bytes than asked for where the pack ends. */
  function bytesAt(offset: number, wanted: number): Soon<Buffer> {
    const length = Math.min(wanted, end - offset);
    const first = Math.floor(offset / windowBytes);
    const from = offset - first * windowBytes;
    if (from + length > windowBytes) return readExactly(file, offset, length);
    const piece = windows.get(keys + first);
    return piece === undefined ? readWindow(first).then((read) => read.subarray(from, from + length)) : piece.subarray(from, from + length);
  }

  async function readWindow(number: number): Promise<Buffer> {
    const piece = await readExactly(file, number * windowBytes, Math.min(windowBytes, end - number * windowBytes));
    windows.set(keys + number, piece, piece.length);
    return piece;
  }

  async function readContent({ size: wantedSize, dataAt }: PackEntry): Promise<Buffer> {
    for (let wanted = compressedBound(wantedSize); ; wanted = wanted * 4 + windowBytes) {
      const bytes = await bytesAt(dataAt, wanted);
      const content = await inflate(bytes, wantedSize);
      if (content !== undefined) return content;
      if (bytes.length < wanted || wanted > 4 * wantedSize + 16 * windowBytes) throw new CorruptError('an object in a pack is cut short');
    }
  }

  return {
    entryAt(offset) {
      if (offset < 12 || offset >= end) throw new CorruptError(`an object should be at byte ${offset} of a pack of ${size}`);
      const bytes = bytesAt(offset, entryHeaderBytes);
      return bytes instanceof Promise ? bytes.then((read) => parseEntry(read, offset)) : parseEntry(bytes, offset);
    },
    contentOf(entry) {
      if (entry.size > largestInPlace) return readContent(entry);
      const bytes = bytesAt(entry.dataAt, compressedBound(entry.size));
      const content = bytes instanceof Promise ? undefined : inflateInPlace(bytes, entry.size);
      return content ?? readContent(entry);
    },
    close: () => file.close(),
  };
}

async function readExactly(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(Math.max(0, length));
  for (let filled = 0; filled < buffer.length; ) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, offset + filled);
    if (bytesRead === 0) throw new CorruptError('a pack is cut short');
    filled += bytesRead;
  }
  return buffer;
}

function parseEntry(bytes: Buffer, offset: number): PackEntry {
  const [first = 0] = bytes;
  const type = (first >> 4) & 7;
  let size = first & 15;
  let at = 1;
  for (let more = first, factor = 16; (more & 0x80) !== 0; factor *= 128) {
    more = byteAt(bytes, at++);
    size += (more & 0x7f) * factor;
  }
  if (!Number.isSafeInteger(size)) throw new CorruptError('an object in a pack has an impossible size');
  const kind = kinds[type];
  if (kind !== undefined) return { type: 'whole', kind, size, dataAt: offset + at };
  if (type === 7) {
    if (at + 20 > bytes.length) throw new CorruptError('a pack is cut short');
    return { type: 'delta', base: Buffer.from(bytes.subarray(at, at + 20)), size, dataAt: offset + at + 20 };
  }
  if (type !== 6) throw new CorruptError(`an object in a pack has the unknown type ${type}`);
  let back = 0;
  for (let more = 0x80; (more & 0x80) !== 0; ) {
    more = byteAt(bytes, at++);
    back = back * 128 + (more & 0x7f);
    if ((more & 0x80) !== 0) back += 1;
  }
  if (back <= 0 || back >= offset) throw new CorruptError('a delta in a pack has its base outside of the pack');
  return { type: 'delta', base: offset - back, size, dataAt: offset + at };
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new CorruptError('a pack is cut short');
  return byte;
}

import { readFile, stat } from 'node:fs/promises';
import { CorruptError } from './corrupt.ts';

export interface PackIndex {
  readonly count: number;
  /** Where an object starts in the pack. */
  find(id: Buffer): number | undefined;
}

const headerBytes = 8;
const fanOutBytes = 256 * 4;
const idBytes = 20;
const trailerBytes = 40;
const maxIndexBytes = 512 * 2 ** 20;

export async function readPackIndex(path: string): Promise<PackIndex> {
  const { size } = await stat(path);
  if (size > maxIndexBytes) throw new CorruptError(`a pack index has ${size} bytes, and ${maxIndexBytes} is the limit`);
  return parsePackIndex(await readFile(path));
}

/** Git's index of version 2. That an id stands at the right place is seen when the object is read: its hash is compared. */
export function parsePackIndex(index: Buffer): PackIndex {
  if (index.length < headerBytes + fanOutBytes + trailerBytes) throw new CorruptError('a pack index is cut short');
  if (index.readUInt32BE(0) !== 0xff_74_4f_63 || index.readUInt32BE(4) !== 2) throw new CorruptError('a pack index is not of version 2');
  const fanOut = (byte: number): number => (byte < 0 ? 0 : index.readUInt32BE(headerBytes + byte * 4));
  for (let byte = 0; byte < 256; byte += 1) if (fanOut(byte) < fanOut(byte - 1)) throw new CorruptError('a pack index is not in order');
  const count = fanOut(255);
  const ids = headerBytes + fanOutBytes;
  const offsets = ids + count * (idBytes + 4);
  const largeOffsets = offsets + count * 4;
  const large = (index.length - largeOffsets - trailerBytes) / 8;
  if (!Number.isInteger(large) || large < 0) throw new CorruptError(`a pack index of ${count} objects is cut short`);

  function offsetAt(position: number): number {
    const offset = index.readUInt32BE(offsets + position * 4);
    if (offset < 0x80_00_00_00) return offset;
    const row = offset - 0x80_00_00_00;
    if (row >= large) throw new CorruptError('a pack index points beyond itself');
    return Number(index.readBigUInt64BE(largeOffsets + row * 8));
  }

  return {
    count,
    find(id) {
      const start = id.readUInt32BE(0);
      let low = fanOut((start >>> 24) - 1);
      let high = fanOut(start >>> 24);
      // The first four bytes decide nearly always, and to compare them takes no call.
      while (low < high) {
        const middle = (low + high) >>> 1;
        const at = ids + middle * idBytes;
        const there = index.readUInt32BE(at);
        const order = there === start ? index.compare(id, 0, idBytes, at, at + idBytes) : there - start;
        if (order === 0) return offsetAt(middle);
        if (order < 0) low = middle + 1;
        else high = middle;
      }
      return undefined;
    },
  };
}

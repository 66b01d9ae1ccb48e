import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** Another format has another number, and a file of another format is started anew. */
export const logMagic = Buffer.from('setpoint-cache 1');

/** Where a record is in the file: head, key and value, one behind the other. */
export interface Place {
  readonly start: number;
  readonly valueAt: number;
  readonly end: number;
  readonly packing: Packing;
  /** Bytes of the value before packing. */
  readonly size: number;
  readonly crc: number;
}

export type Packing = 'none' | 'deflate';

export interface PackedValue {
  readonly bytes: Buffer;
  readonly packing: Packing;
  readonly size: number;
}

const headBytes = 20;
const windowBytes = 1024 * 1024;
const maxKeyBytes = 1024;
const packings: readonly Packing[] = ['none', 'deflate'];

/** The record's bytes, and its place in a file in which it starts at `start`. */
export function encodeRecord(key: string, value: PackedValue, start: number): { readonly bytes: Buffer; readonly place: Place } {
  const name = Buffer.from(key);
  if (name.length > maxKeyBytes) throw new RangeError(`a key of at most ${maxKeyBytes} bytes is wanted, got ${name.length}`);
  const head = Buffer.alloc(headBytes);
  const crc = crc32(value.bytes);
  head.writeUInt16LE(name.length, 4);
  head.writeUInt16LE(packings.indexOf(value.packing), 6);
  head.writeUInt32LE(value.bytes.length, 8);
  head.writeUInt32LE(value.size, 12);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(crc32(name, crc32(head.subarray(4))), 0);
  const bytes = Buffer.concat([head, name, value.bytes]);
  const valueAt = start + headBytes + name.length;
  return { bytes, place: { start, valueAt, end: start + bytes.length, packing: value.packing, size: value.size, crc } };
}

/** The records of a file up to the first that is torn or broken, in order, and where that one starts. Undefined for no file of ours. */
export async function scanLog(file: FileHandle): Promise<{ readonly places: Map<string, Place>; readonly end: number } | undefined> {
  const { size } = await file.stat();
  const window = Buffer.allocUnsafe(windowBytes);
  const places = new Map<string, Place>();
  let [end, from, filled] = [0, 0, 0];
  const slide = async (): Promise<void> => {
    from = end;
    filled = (await file.read(window, 0, windowBytes, from)).bytesRead;
  };
  await slide();
  if (!window.subarray(0, Math.min(filled, logMagic.length)).equals(logMagic)) return undefined;
  end = logMagic.length;
  while (end < size) {
    if (end + headBytes + maxKeyBytes > from + filled && from + filled < size) await slide();
    const record = decodeHead(window.subarray(Math.min(end - from, filled), filled), end);
    if (record === undefined || record.place.end > size) break;
    // The newest last, as the file has it.
    places.delete(record.key);
    places.set(record.key, record.place);
    end = record.place.end;
  }
  return { places, end };
}

function decodeHead(bytes: Buffer, start: number): { readonly key: string; readonly place: Place } | undefined {
  if (bytes.length < headBytes) return undefined;
  const nameEnd = headBytes + bytes.readUInt16LE(4);
  const packing = packings[bytes.readUInt16LE(6)];
  if (packing === undefined || nameEnd > bytes.length || crc32(bytes.subarray(4, nameEnd)) !== bytes.readUInt32LE(0)) return undefined;
  const valueAt = start + nameEnd;
  const place = { start, valueAt, end: valueAt + bytes.readUInt32LE(8), packing, size: bytes.readUInt32LE(12), crc: bytes.readUInt32LE(16) };
  return { key: bytes.toString('utf8', headBytes, nameEnd), place };
}

import { promisify } from 'node:util';
import { crc32, deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import type { PackedValue, Place } from './content-cache-log.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

// Starting deflate takes 70 µs, for which a small manifest becomes a third smaller: not worth it.
const plainBytes = 2 * 1024;
// Beyond that, another thread of Node does it.
const hereBytes = 16 * 1024;

export async function packValue(text: string): Promise<PackedValue> {
  const plain = Buffer.from(text);
  const size = plain.length;
  if (size <= plainBytes) return { bytes: plain, packing: 'none', size };
  return { bytes: size <= hereBytes ? deflateRawSync(plain) : await deflate(plain), packing: 'deflate', size };
}

/** Undefined where the bytes are not the ones that were written. */
export async function unpackValue(bytes: Buffer, { packing, size, crc }: Place): Promise<string | undefined> {
  if (crc32(bytes) !== crc) return undefined;
  if (packing === 'none') return bytes.toString();
  const options = { maxOutputLength: Math.max(1, size) };
  const plain = size <= hereBytes ? inflateRawSync(bytes, options) : await inflate(bytes, options);
  return plain.length === size ? plain.toString() : undefined;
}

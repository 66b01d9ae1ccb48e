import { promisify } from 'node:util';
import { inflate as inflateWithCallback, inflateSync } from 'node:zlib';
import { CorruptError } from './corrupt.ts';

const inflateInPool = promisify(inflateWithCallback);

/** Takes about half a millisecond; what is larger goes to another thread, which costs more to ask than small ones take. */
export const largestInPlace = 64 * 1024;

/** Exactly `size` bytes, or undefined when the input ends too early. What follows the compressed stream does not matter. */
export async function inflate(input: Uint8Array, size: number): Promise<Buffer | undefined> {
  if (size <= largestInPlace) return inflateInPlace(input, size);
  try {
    return checked(await inflateInPool(input, { maxOutputLength: size, chunkSize: largestInPlace }), size);
  } catch (error) {
    return explained(error, size);
  }
}

export function inflateInPlace(input: Uint8Array, size: number): Buffer | undefined {
  try {
    // Room for one byte more than is wanted: a full buffer would be followed by an empty one.
    return checked(inflateSync(input, { maxOutputLength: Math.max(1, size), chunkSize: Math.max(64, size + 1) }), size);
  } catch (error) {
    return explained(error, size);
  }
}

/** The most that zlib makes of so many bytes, with room for one that splits its blocks oddly. */
export function compressedBound(size: number): number {
  return size + (size >> 8) + 128;
}

function checked(output: Buffer, size: number): Buffer {
  if (output.length !== size) throw new CorruptError(`an object has ${output.length} bytes and says that it has ${size}`);
  return output;
}

function explained(error: unknown, size: number): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return undefined;
  if (code === 'ERR_BUFFER_TOO_LARGE') throw new CorruptError(`an object has more bytes than the ${size} that it says`, { cause: error });
  if (code?.startsWith('Z_') === true) throw new CorruptError(`an object cannot be decompressed: ${code}`, { cause: error });
  throw error;
}

import { CorruptError } from './corrupt.ts';

export interface Delta {
  readonly baseSize: number;
  readonly resultSize: number;
  /** Where the instructions start. */
  readonly start: number;
}

// About a millisecond of instructions.
const instructionsPerStep = 10_000;

export function readDelta(delta: Uint8Array): Delta {
  const base = readSize(delta, 0);
  const result = readSize(delta, base.next);
  return { baseSize: base.size, resultSize: result.size, start: result.next };
}

/** Git's two instructions: copy from the base, and insert what follows. Whoever waits between its steps gives others a turn. */
export function* applyDelta(base: Buffer, delta: Buffer): Generator<void, Buffer> {
  const { baseSize, resultSize, start } = readDelta(delta);
  if (baseSize !== base.length) throw new CorruptError(`a delta wants a base of ${baseSize} bytes and has one of ${base.length}`);
  const result = Buffer.allocUnsafe(resultSize);
  let at = start;
  let filled = 0;
  for (let count = 1; at < delta.length; count += 1) {
    if (count % instructionsPerStep === 0) yield;
    const code = delta[at] ?? 0;
    at += 1;
    let length = code;
    let from = 0;
    if ((code & 0x80) !== 0) {
      length = 0;
      for (let bit = 0; bit < 4; bit += 1) if ((code & (1 << bit)) !== 0) from += (delta[at++] ?? 0) * 2 ** (8 * bit);
      for (let bit = 0; bit < 3; bit += 1) if ((code & (16 << bit)) !== 0) length += (delta[at++] ?? 0) * 2 ** (8 * bit);
      if (length === 0) length = 0x1_00_00;
    } else from = at;
    const source = (code & 0x80) === 0 ? delta : base;
    if (length === 0 || from + length > source.length || filled + length > resultSize) throw new CorruptError('a delta reaches beyond its base or its result');
    source.copy(result, filled, from, from + length);
    filled += length;
    if (source === delta) at += length;
  }
  if (filled !== resultSize) throw new CorruptError(`a delta makes ${filled} bytes and says that it makes ${resultSize}`);
  return result;
}

function readSize(bytes: Uint8Array, from: number): { readonly size: number; readonly next: number } {
  let size = 0;
  for (let at = from; at < from + 8; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) break;
    size += (byte & 0x7f) * 2 ** (7 * (at - from));
    if ((byte & 0x80) === 0) return { size, next: at + 1 };
  }
  throw new CorruptError('a delta has no sizes');
}

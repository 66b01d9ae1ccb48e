/** Thrown for what is not made of packets (gitprotocol-common: four hexadecimal digits say how long one is). */
export class NotPacketsError extends Error {}

export interface PacketStream {
  /** Everything up to and with the next flush packet; undefined where the stream ends before one. */
  untilFlush(): Promise<Buffer | undefined>;
  /** What follows. */
  rest(): AsyncGenerator<Uint8Array>;
}

export function createPacketStream(source: AsyncIterable<Uint8Array>): PacketStream {
  const pieces = source[Symbol.asyncIterator]();
  let ahead: Buffer = Buffer.alloc(0);

  const fill = async (size: number): Promise<boolean> => {
    const parts = [ahead];
    let length = ahead.length;
    while (length < size) {
      const { done, value } = await pieces.next();
      if (done === true) break;
      parts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      length += value.length;
    }
    ahead = Buffer.concat(parts);
    return length >= size;
  };

  return {
    async untilFlush() {
      const taken: Buffer[] = [];
      for (;;) {
        if (!(await fill(4))) return undefined;
        const digits = ahead.toString('latin1', 0, 4);
        if (!/^[0-9a-f]{4}$/i.test(digits)) throw new NotPacketsError();
        // 0001 and 0002 are packets of no content, too.
        const size = Math.max(4, Number.parseInt(digits, 16));
        if (!(await fill(size))) return undefined;
        taken.push(ahead.subarray(0, size));
        ahead = ahead.subarray(size);
        if (digits === '0000') return Buffer.concat(taken);
      }
    },
    async *rest() {
      if (ahead.length > 0) yield ahead;
      ahead = Buffer.alloc(0);
      yield* { [Symbol.asyncIterator]: () => pieces };
    },
  };
}

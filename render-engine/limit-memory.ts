/** What one page of WebAssembly memory has. */
const pageBytes = 65_536;
const memorySection = 5;
const headerBytes = 8;

interface Number32 {
  readonly value: number;
  readonly end: number;
}

/**
 * Go writes a memory without a maximum, and a worker's resource limits do not bound it: one template could take 4 GiB. This gives the
 * module a maximum of its own; memory that it asks for beyond that is refused, and only that instance ends.
 */
export function limitMemory(module: Uint8Array, maximumBytes: number): Uint8Array {
  for (let at = headerBytes; at < module.length; ) {
    const size = readNumber(module, at + 1);
    const end = size.end + size.value;
    if (module[at] === memorySection) {
      const section = limitedSection(module.subarray(size.end, end), Math.floor(maximumBytes / pageBytes));
      return Buffer.concat([module.subarray(0, at), section, module.subarray(end)]);
    }
    at = end;
  }
  throw new Error('the module has no memory section: did Go change how it builds for WebAssembly?');
}

function limitedSection(body: Uint8Array, maximumPages: number): Uint8Array {
  const initial = readNumber(body, 2);
  const isPlain = body[0] === 1 && body[1] === 0 && initial.end === body.length;
  if (!isPlain) throw new Error(`wanted one memory without a maximum, got a section of ${Buffer.from(body).toString('hex')}`);
  if (initial.value > maximumPages) throw new Error(`the module starts with ${initial.value} pages of memory, more than the ${maximumPages} allowed`);
  const limited = Buffer.from([1, 1, ...writeNumber(initial.value), ...writeNumber(maximumPages)]);
  return Buffer.from([memorySection, ...writeNumber(limited.length), ...limited]);
}

/** Unsigned LEB128. */
function readNumber(bytes: Uint8Array, start: number): Number32 {
  let value = 0;
  for (let at = start, shift = 1; ; at += 1, shift *= 128) {
    const byte = bytes[at];
    if (byte === undefined || at - start > 4) throw new Error('the module is cut short or no WebAssembly');
    value += (byte % 128) * shift;
    if (byte < 128) return { value, end: at + 1 };
  }
}

function writeNumber(value: number): readonly number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...writeNumber(Math.floor(value / 128))];
}

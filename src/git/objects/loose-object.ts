import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, inflateSync } from 'node:zlib';
import { CorruptError } from './corrupt.ts';
import { inflate } from './inflate.ts';
import type { ObjectKind } from './pack-file.ts';

export interface LooseObject {
  readonly kind: ObjectKind;
  readonly size: number;
  content(): Promise<Buffer>;
}

const kinds: readonly string[] = ['commit', 'tree', 'blob', 'tag'] satisfies ObjectKind[];
const maxFileBytes = 2 ** 30;
const maxHeaderBytes = 32;

/** An object in a file of its own; undefined where there is none. */
export async function readLooseObject(objectsFolder: string, id: string): Promise<LooseObject | undefined> {
  const path = join(objectsFolder, id.slice(0, 2), id.slice(2));
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.size > maxFileBytes) throw new CorruptError(`object ${id} has ${found.size} bytes, and ${maxFileBytes} is the limit`);
  const file = await readFile(path);
  const { kind, size, length } = readHeader(file, id);
  return {
    kind,
    size,
    async content() {
      const whole = await inflate(file, length + size);
      if (whole === undefined) throw new CorruptError(`object ${id} is cut short`);
      return whole.subarray(length);
    },
  };
}

function readHeader(file: Buffer, id: string): { readonly kind: ObjectKind; readonly size: number; readonly length: number } {
  const start = startOf(file);
  const length = start.indexOf(0) + 1;
  const [, kind = '', size = ''] = /^(\w+) (0|[1-9]\d{0,14})$/.exec(start.toString('latin1', 0, Math.max(0, length - 1))) ?? [];
  if (length === 0 || length > maxHeaderBytes || !kinds.includes(kind)) throw new CorruptError(`object ${id} does not start as one`);
  return { kind: kind as ObjectKind, size: Number(size), length };
}

function startOf(file: Buffer): Buffer {
  try {
    return inflateSync(file.subarray(0, 256), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}

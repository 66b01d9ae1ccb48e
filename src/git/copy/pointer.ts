import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** What counts of a copy. Written last, in one step: whatever it names is whole, and nothing else is looked at. */
export interface Pointer {
  readonly generation: string;
  /** Bytes of the first fetches of its references; what came later is measured against it. */
  readonly firstBytes: number;
  readonly shallow: readonly string[];
  /** Reference → the commit that it stood for when it was last fetched. */
  readonly references: Readonly<Record<string, string>>;
}

const fileName = 'current.json';
const format = 1;

/** Undefined where there is none, or none that can be read: then the copy is made anew. */
export async function readPointer(folder: string): Promise<Pointer | undefined> {
  try {
    const read = JSON.parse(await readFile(join(folder, fileName), 'utf8')) as Partial<Pointer> & { readonly format?: number };
    const { generation, firstBytes, shallow, references } = read;
    const isWhole =
      read.format === format &&
      /^generation-[\w-]+$/.test(generation ?? '') &&
      typeof firstBytes === 'number' &&
      isIds(shallow) &&
      typeof references === 'object' &&
      isIds(Object.values(references));
    return isWhole && generation !== undefined && references !== undefined && shallow !== undefined ? { generation, firstBytes, shallow, references } : undefined;
  } catch {
    return undefined;
  }
}

export async function writePointer(folder: string, pointer: Pointer): Promise<void> {
  const temporary = join(folder, `${fileName}.new`);
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ format, ...pointer })}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, join(folder, fileName));
  await syncFile(folder);
}

/** Makes what was written outlive a loss of power. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } catch (error) {
    // Some systems do not sync folders.
    if (!['EINVAL', 'EPERM', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await file.close();
  }
}

function isIds(value: unknown): boolean {
  return Array.isArray(value) && value.every((id) => typeof id === 'string' && /^[0-9a-f]{40}$/.test(id));
}

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

export type FilesReading =
  | { readonly type: 'files'; readonly files: readonly FileReading[] }
  /** Nothing is known of what is there: that is not nothing. */
  | { readonly type: 'unreadable'; readonly message: string };

export type FileReading = { readonly name: string; readonly content: Uint8Array } | { readonly name: string; readonly problem: string };

// Far more than a parser takes, and no more than fits.
const largestBytes = 16 * 1024 * 1024;

/** A file, or the YAML and JSON files of a folder, the folders below left out. */
export async function readFiles(path: string): Promise<FilesReading> {
  try {
    const names = (await stat(path)).isDirectory() ? (await namesIn(path)).map((name) => join(path, name)) : [path];
    const files = await Promise.all(names.map(readOne));
    return { type: 'files', files: files.filter((file) => file !== undefined) };
  } catch (error) {
    return { type: 'unreadable', message: `${path} cannot be read: ${reasonOf(error)}` };
  }
}

/** What is hidden is not meant: files that an editor is about to write, and the folders behind the links of a mounted ConfigMap. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names.filter((name) => /^[^.].*\.(?:ya?ml|json)$/i.test(name)).toSorted();
}

async function readOne(name: string): Promise<FileReading | undefined> {
  try {
    const found = await stat(name);
    if (found.isDirectory()) return undefined;
    // A pipe would be waited for, and a device never ends.
    if (!found.isFile()) return { name, problem: 'a file is wanted, got something that is none' };
    if (found.size > largestBytes) return { name, problem: `a file of at most ${largestBytes} bytes is wanted, got ${found.size}` };
    return { name, content: await readFile(name) };
  } catch (error) {
    return { name, problem: `cannot be read: ${reasonOf(error)}` };
  }
}

const reasons: Readonly<Record<string, string>> = { ENOENT: 'it is not there', EACCES: 'it is not allowed', ELOOP: 'its link leads to itself' };

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

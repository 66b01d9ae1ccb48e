import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { SetpointError, type SourceFile } from '../model/index.ts';
import { isManifestPath } from './plain.ts';

/** The manifests below a folder, one file, or standard input (`-`). Links are not followed. */
export async function readLocalFiles(path: string, readStdin: () => Promise<Uint8Array>): Promise<readonly SourceFile[]> {
  if (path === '-') return [{ path: '-', content: await readStdin() }];
  const kind = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'no such file or folder' : cause.message;
    throw new SetpointError('PathNotFound', `${path}: ${reason}: check -f`, { cause });
  });
  if (!kind.isDirectory()) return [{ path, content: await readFile(path) }];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && isManifestPath(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  if (files.length === 0) throw new SetpointError('PathNotFound', `${path} has no .yaml, .yml or .json file: nothing to compare`);
  return Promise.all(files.map(async (file) => ({ path: relative(path, file).split(sep).join('/'), content: await readFile(file) })));
}

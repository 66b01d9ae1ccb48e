import { createHash } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { open, readdir, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { SetpointError, type EntryType, type SourceTree, type TreeEntry } from '../model/index.ts';
import { lfsPointer } from './documents.ts';
import { followPath } from './follow-path.ts';
import { limits } from './yaml/limits.ts';

interface LocalTreeOptions {
  /** Nothing outside of it is read. */
  readonly root: string;
  readonly maxFileBytes?: number;
}

/** A folder of this machine as a tree. Where a path really leads is found out before anything is opened. */
export async function openLocalTree({ root, maxFileBytes = limits.fileBytes }: LocalTreeOptions): Promise<SourceTree> {
  const home = await realpath(root);
  const locate = (path: string): Promise<string | undefined> => readable(path, followPath(home, path));
  const typeOf = async (path: string): Promise<EntryType | undefined> => {
    const place = await locate(path);
    return place === undefined ? undefined : typeAt(place);
  };
  const list = async (path: string): Promise<readonly TreeEntry[]> => {
    const place = await locate(path);
    if (place === undefined || (await typeAt(place)) !== 'folder') throw notFound(path, 'folder');
    const entries = await readable(path, readdir(place, { withFileTypes: true }));
    const typed = entries.flatMap((entry) => {
      const type = typeOfEntry(entry);
      return type === undefined || entry.name === '.git' ? [] : [{ name: entry.name, type }];
    });
    return typed.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  };
  const withFile = async <T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> => {
    const place = await locate(path);
    if (place === undefined || (await typeAt(place)) !== 'file') throw notFound(path, 'file');
    const file = await readable(path, openPlace(path, place));
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  };
  const read = (path: string): Promise<Uint8Array> =>
    withFile(path, async (file) => {
      const { size } = await file.stat();
      const content = size > maxFileBytes ? undefined : await file.readFile();
      if (content === undefined || content.length > maxFileBytes) {
        throw new SetpointError('SourceTooLarge', `${path} has ${content?.length ?? size} bytes, and a file may have ${maxFileBytes}`);
      }
      if (content.subarray(0, lfsPointer.length).equals(Buffer.from(lfsPointer))) {
        throw new SetpointError('PathInvalid', `${path} is a Git LFS pointer, and LFS is not fetched: store manifests in Git itself`);
      }
      return content;
    });
  const idOf = async (path: string): Promise<string | undefined> => {
    const type = await typeOf(path);
    if (type === 'file') return withFile(path, blobId);
    if (type !== 'folder') return undefined;
    const hash = createHash('sha256');
    for (const entry of await list(path)) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      const id = entry.type === 'link' ? await readlink(join((await locate(path)) ?? home, entry.name)) : await idOf(below);
      hash.update(JSON.stringify([entry.name, entry.type, id ?? null]));
    }
    return hash.digest('hex');
  };
  return { typeOf, idOf, list, read };
}

/** Opens no link and no pipe, and notices when a folder on the way has become a link since we looked. */
async function openPlace(path: string, place: string): Promise<FileHandle> {
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await file.stat()).isFile() && (await realpath(place).catch(() => undefined)) === place) return file;
  await file.close();
  throw new SetpointError('PathInvalid', `${path} was replaced while it was read`);
}

async function typeAt(place: string): Promise<EntryType | undefined> {
  const found = await stat(place).catch(() => undefined);
  if (found?.isDirectory() === true) return 'folder';
  return found?.isFile() === true ? 'file' : undefined;
}

/** Sockets, pipes and devices are no part of a source. */
function typeOfEntry(entry: Dirent): TreeEntry['type'] | undefined {
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : undefined;
}

function notFound(path: string, wanted: 'file' | 'folder'): SetpointError {
  return new SetpointError('PathNotFound', `there is no ${wanted} ${path === '' ? 'at the root' : path}`);
}

async function readable<T>(path: string, work: Promise<T>): Promise<T> {
  return work.catch((cause: Error) => {
    throw cause instanceof SetpointError ? cause : new SetpointError('PathNotFound', `${path || 'the source'} cannot be read: ${cause.message}`, { cause });
  });
}

/** As Git names the content of a file, whatever its size. */
async function blobId(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  const hash = createHash('sha1').update(`blob ${size}\0`);
  for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteCache } from './byte-cache.ts';
import { CorruptError } from './corrupt.ts';
import { openPackFile, type PackAddress, type PackFile } from './pack-file.ts';
import { readPackIndex, type PackIndex } from './pack-index.ts';

export interface Pack {
  /** What its offsets are added to where the packs share a cache. */
  readonly keys: number;
  /** Opened when it is first read from. */
  file(): Promise<PackFile>;
  find(id: Buffer): number | undefined;
}

export interface PackFolder {
  /** The packs that have an index: without one a pack is not finished. */
  packs(): Promise<readonly Pack[]>;
  /** Looks again for packs that came or went. */
  refresh(): void;
  close(): Promise<void>;
}

// A repository that is never packed again can have thousands.
const maxOpenFiles = 64;
// More than a pack can have bytes; 8,000 packs stay below the largest whole number.
const keysPerPack = 2 ** 40;

/** The packs of one or more `objects` folders. Not for two readers at once: the one that comes closes files of the other. */
export function createPackFolder(objectsFolders: readonly string[], windows: ByteCache<Buffer>): PackFolder {
  const indexes = new Map<string, { readonly keys: number; readonly index: PackIndex }>();
  const files = new Map<string, PackFile>();
  let listed: readonly Pack[] | undefined;

  async function fileOf(address: PackAddress): Promise<PackFile> {
    const known = files.get(address.path);
    if (known !== undefined) return known;
    if (files.size >= maxOpenFiles) await closeFiles();
    const file = await openPackFile(address, windows);
    files.set(address.path, file);
    return file;
  }

  async function closeFiles(): Promise<void> {
    const opened = [...files.values()];
    files.clear();
    await Promise.all(opened.map((file) => file.close()));
  }

  async function listPacks(): Promise<readonly Pack[]> {
    const paths = (await Promise.all(objectsFolders.map((folder) => indexedPacks(join(folder, 'pack'))))).flat();
    const packs: Pack[] = [];
    for (const path of paths) {
      const known = indexes.get(path) ?? (await readIndex(path));
      // As good as none: whoever wrote it was stopped, or still writes.
      if (known === undefined) continue;
      indexes.set(path, known);
      const { keys, index } = known;
      packs.push({ keys, file: () => fileOf({ path, keys }), find: (id) => index.find(id) });
    }
    return packs;
  }

  async function readIndex(path: string): Promise<{ readonly keys: number; readonly index: PackIndex } | undefined> {
    try {
      return { keys: indexes.size * keysPerPack, index: await readPackIndex(path.replace(/\.pack$/, '.idx')) };
    } catch (error) {
      if (error instanceof CorruptError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  return {
    async packs() {
      listed ??= await listPacks();
      return listed;
    },
    refresh() {
      listed = undefined;
    },
    close: closeFiles,
  };
}

async function indexedPacks(folder: string): Promise<readonly string[]> {
  const names = new Set(await readdir(folder).catch(() => []));
  return [...names].filter((name) => name.endsWith('.pack') && names.has(name.replace(/\.pack$/, '.idx'))).map((name) => join(folder, name));
}

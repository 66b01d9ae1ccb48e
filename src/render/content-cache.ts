import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openForReading, openForWriting } from './content-cache-file.ts';
import { takeLock } from './content-cache-lock.ts';
import { createStore } from './content-cache-store.ts';

/** Values by content key, on disk; everything in it can be computed again. */
export interface ContentCache {
  /** Never fails: what cannot be read is not there. */
  get(key: string): Promise<string | undefined>;
  /** Written soon. What cannot be written is forgotten, and said once. A key that has a value keeps it: the same content gives the same. */
  put(key: string, text: string): void;
  /** The same for a key whose value may become another one. */
  replace(key: string, text: string): void;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

export interface ContentCacheOptions {
  /** Its own. Made with access for nobody else: the values are as secret as the repositories they come from. */
  readonly folder: string;
  /** Of the file: beyond it, the oldest values go. */
  readonly maxBytes?: number;
  /** At most once. Everything works without the cache, and slower. */
  readonly onProblem?: (message: string) => void;
}

/** Of two processes with one folder the second reads only. */
export async function openContentCache({ folder, maxBytes = 256 * 1024 * 1024, onProblem }: ContentCacheOptions): Promise<ContentCache> {
  let said = false;
  const tell = (what: string, error: unknown): undefined => {
    if (!said) onProblem?.(`the cache in ${folder} ${what}: ${error instanceof Error ? error.message : String(error)}`);
    said = true;
  };
  const path = join(folder, 'values.log');
  if (!(await prepareFolder(folder).then(() => true, (error: unknown) => tell('is not used', error)))) return emptyCache();
  let lost = false;
  const lock = await takeLock(join(folder, 'lock'), () => (lost = true)).catch((error: unknown) => tell('is not written', error));
  const log = await (lock === undefined ? openForReading(path) : openForWriting(path)).catch((error: unknown) => tell('is not used', error));
  if (log === undefined) {
    await lock?.release();
    return emptyCache();
  }
  const store = createStore({ path, log, maxBytes, isOwner: () => lock !== undefined && !lost, onProblem: tell });
  return {
    ...store,
    close: async () => {
      await store.close();
      await lock?.release();
    },
  };
}

/** Whoever can write there could make us believe anything of any file. */
async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = await stat(folder);
  const us = process.getuid?.();
  if (us !== undefined && uid !== us && uid !== 0) throw new Error('the folder belongs to another user');
  if (us !== undefined && (mode & 0o002) !== 0) throw new Error('everybody may write to the folder: make it a folder of its own, with mode 0700');
}

function emptyCache(): ContentCache {
  return { get: async () => undefined, put: () => undefined, replace: () => undefined, close: async () => undefined };
}

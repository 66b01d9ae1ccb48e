import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder, type FolderLock } from './folder-lock.ts';
import { createGeneration, openGeneration, type Generation, type GenerationOptions } from './generation.ts';
import { readPointer, writePointer, type Pointer } from './pointer.ts';

export interface Current {
  readonly generation: Generation;
  readonly pointer: Pointer;
}

/** The copy of one repository on disk: one generation that counts, and older ones that somebody still reads. */
export interface CopyFolder {
  current(): Current | undefined;
  begin(): Promise<Generation>;
  /** What is fetched counts from here on. A generation that it takes the place of goes when nobody holds it. */
  commit(generation: Generation, pointer: Omit<Pointer, 'generation'>): Promise<void>;
  /** Leaves the files for the next time. */
  close(): Promise<void>;
}

interface CopyFolderOptions {
  readonly folder: string;
  readonly url: string;
}

const othersName = 'others';

/** Who comes second, while another process has the folder, gets one of his own in it, which goes when it is closed. */
export async function openCopyFolder({ folder, url }: CopyFolderOptions): Promise<CopyFolder> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(folder);
  if (lock !== undefined) return open({ folder, url, lock, isOwn: false });
  for (;;) {
    const own = join(folder, othersName, randomBytes(8).toString('hex'));
    await mkdir(own, { recursive: true, mode: 0o700 });
    // None where whoever has the folder took it for one that was left behind.
    const ownLock = await lockFolder(own).catch(() => undefined);
    if (ownLock !== undefined) return open({ folder: own, url, lock: ownLock, isOwn: true });
  }
}

interface Opened extends CopyFolderOptions {
  readonly lock: FolderLock;
  readonly isOwn: boolean;
}

async function open({ folder, url, lock, isOwn }: Opened): Promise<CopyFolder> {
  const live = new Set<Generation>();
  const onGone = (generation: Generation): unknown => live.delete(generation);
  let current = await restore({ folder, url, onGone });
  if (current !== undefined) live.add(current.generation);
  await removeOthers(folder, current?.generation.name);
  return {
    current: () => current,
    async begin() {
      const generation = await createGeneration({ folder, url, onGone, name: `generation-${randomBytes(8).toString('hex')}` });
      live.add(generation);
      return generation;
    },
    async commit(generation, pointer) {
      const whole = { ...pointer, generation: generation.name };
      await writePointer(folder, whole);
      const before = current?.generation;
      current = { generation, pointer: whole };
      if (before !== generation) before?.retire();
    },
    async close() {
      await Promise.all([...live].map((generation) => generation.close()));
      await lock.release();
      if (isOwn) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** What the pointer names, when it is whole. */
async function restore({ folder, url, onGone }: CopyFolderOptions & Pick<GenerationOptions, 'onGone'>): Promise<Current | undefined> {
  const pointer = await readPointer(folder);
  if (pointer === undefined || Object.keys(pointer.references).length === 0) return undefined;
  const generation = openGeneration({ folder, url, onGone, name: pointer.generation });
  try {
    for (const commit of new Set(Object.values(pointer.references))) {
      if ((await generation.find(commit)) === undefined) throw new Error(`${commit} is not there`);
    }
    return { generation, pointer };
  } catch {
    await generation.close();
    return undefined;
  }
}

/** Generations that were never finished or that nobody came back to, and folders of processes that have died. */
async function removeOthers(folder: string, keep: string | undefined): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name === keep || name === 'lock' || name.startsWith('lock-dead-') || (name === 'current.json' && keep !== undefined)) continue;
    if (name === othersName) await removeDead(join(folder, name));
    else await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

async function removeDead(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const lock = await lockFolder(join(folder, name)).catch(() => undefined);
    if (lock === undefined) continue;
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
    await lock.release();
  }
}

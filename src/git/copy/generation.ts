import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CorruptError } from '../objects/corrupt.ts';
import { createObjectStore } from '../objects/object-store.ts';
import { readPackIndex } from '../objects/pack-index.ts';
import { createGitObjects, type GitObjects } from '../tree/git-objects.ts';
import { syncFile } from './pointer.ts';

/** One bare repository on disk. Lives as long as someone holds it, also when a newer one has taken its place. */
export interface Generation {
  readonly name: string;
  readonly gitDir: string;
  readonly objects: GitObjects;
  isBroken(): boolean;
  /** The commit behind an id when all of it that can be seen without reading every file is here. */
  find(id: string): Promise<{ readonly commit: string; readonly root: string } | undefined>;
  size(): Promise<{ readonly packs: number; readonly bytes: number }>;
  /** Takes away what a fetch that was stopped left behind. */
  tidy(): Promise<void>;
  /** To be called when a pack came: keeps it through a loss of power, and shows it. */
  settle(): Promise<void>;
  hold(): Disposable;
  /** It is not the current one any more: its files go when nobody holds it. */
  retire(): void;
  /** Closes the files whoever holds it; they stay on disk unless it is retired. */
  close(): Promise<void>;
}

export interface GenerationOptions {
  readonly folder: string;
  readonly name: string;
  readonly url: string;
  /** Told when it is closed. */
  readonly onGone: (generation: Generation) => void;
}

// isomorphic-git wants a remote with a rule for references, which we do not read. No URL: nothing that could be secret is on the disk.
const config = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n';

export async function createGeneration(options: GenerationOptions): Promise<Generation> {
  const gitDir = join(options.folder, options.name);
  await mkdir(join(gitDir, 'objects', 'pack'), { recursive: true, mode: 0o700 });
  await mkdir(join(gitDir, 'refs', 'heads'), { recursive: true, mode: 0o700 });
  await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/have\n');
  await writeFile(join(gitDir, 'config'), config);
  return openGeneration(options);
}

export function openGeneration({ folder, name, url, onGone }: GenerationOptions): Generation {
  const gitDir = join(folder, name);
  const packFolder = join(gitDir, 'objects', 'pack');
  const store = createObjectStore([join(gitDir, 'objects')]);
  let broken = false;
  let holds = 0;
  let retired = false;
  let closing: Promise<void> | undefined;
  const objects = createGitObjects({ url, store, onBroken: () => (broken = true) });

  function leave(): void {
    if (retired && holds === 0) void close();
  }

  function close(): Promise<void> {
    closing ??= (async () => {
      await store.close();
      if (retired) await rm(gitDir, { recursive: true, force: true, maxRetries: 3 });
    })()
      .catch(() => undefined)
      .finally(() => onGone(generation));
    return closing;
  }

  const generation: Generation = {
    name,
    gitDir,
    objects,
    isBroken: () => broken,
    async find(id) {
      const found = await objects.commit(id);
      if (found === undefined) return undefined;
      await objects.tree(found.root);
      return found;
    },
    async size() {
      const packs = (await packFiles(packFolder)).filter((file) => file.endsWith('.pack'));
      const sizes = await Promise.all(packs.map(async (pack) => (await stat(pack)).size));
      return { packs: packs.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
    },
    async tidy() {
      const files = await packFiles(packFolder);
      for (const file of files) if (!(await isFinished(file))) await rm(file, { recursive: true, force: true });
    },
    async settle() {
      for (const file of await packFiles(packFolder)) await syncFile(file);
      await syncFile(packFolder);
      store.refresh();
    },
    hold() {
      holds += 1;
      let held = true;
      return {
        [Symbol.dispose]() {
          if (!held) return;
          held = false;
          holds -= 1;
          leave();
        },
      };
    },
    retire() {
      retired = true;
      leave();
    },
    close,
  };
  return generation;
}

async function packFiles(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).map((name) => join(folder, name));
}

/** A pack counts with its index, which is written after it. */
async function isFinished(file: string): Promise<boolean> {
  const [, stem] = /^(.*\/pack-[0-9a-f]{40})\.(?:pack|idx)$/.exec(file) ?? [];
  if (stem === undefined) return false;
  try {
    await Promise.all([stat(`${stem}.pack`), readPackIndex(`${stem}.idx`)]);
    return true;
  } catch (error) {
    if (error instanceof CorruptError || (error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

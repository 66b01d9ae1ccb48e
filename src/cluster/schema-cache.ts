import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Schema } from '../model/index.ts';
import { compilerVersion } from './compile-schema.ts';
import { schemasFromText, schemasToText } from './schema-text.ts';

/**
 * Compiled schemas on disk, by the SHA-512 in lower case of the document that they were compiled from. Never fails: what is not
 * there is compiled anew.
 */
export interface SchemaCache {
  load(hash: string): Promise<ReadonlyMap<string, Schema> | undefined>;
  save(hash: string, kinds: ReadonlyMap<string, Schema>): Promise<void>;
}

const mostFiles = 200;
const ours = /^schemas-v\d+-[0-9a-f]{128}\.json(?:\.[\w-]+\.unfinished)?$/;
const dayMs = 86_400_000;

export function createSchemaCache(folder: string, now: () => number = Date.now): SchemaCache {
  const fileOf = (hash: string): string => join(folder, `schemas-v${compilerVersion}-${hash}.json`);
  return {
    async load(hash) {
      const file = fileOf(hash);
      try {
        const kinds = schemasFromText(await readFile(file, 'utf8'));
        if (kinds !== undefined && now() - (await stat(file)).mtimeMs > dayMs) await touch(file, now());
        return kinds;
      } catch {
        return undefined;
      }
    },
    async save(hash, kinds) {
      const file = fileOf(hash);
      const unfinished = `${file}.${randomUUID()}.unfinished`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(unfinished, schemasToText(kinds), { mode: 0o600 });
        await rename(unfinished, file);
        await removeOldest(folder);
      } catch {
        // A disk that is full or that we may not write on: the next process compiles again.
        await rm(unfinished, { force: true }).catch(() => undefined);
      }
    },
  };
}

/** Keeps what is in use among the newest. */
async function touch(file: string, now: number): Promise<void> {
  const at = new Date(now);
  await utimes(file, at, at).catch(() => undefined);
}

async function removeOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => ours.test(name));
  if (names.length <= mostFiles) return;
  const files = await Promise.all(names.map(async (name) => ({ name, writtenAt: (await stat(join(folder, name))).mtimeMs })));
  const oldest = files.toSorted((a, b) => b.writtenAt - a.writtenAt).slice(mostFiles);
  await Promise.all(oldest.map(({ name }) => rm(join(folder, name), { force: true })));
}

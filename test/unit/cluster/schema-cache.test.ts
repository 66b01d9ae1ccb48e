import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSchemaCache } from '../../../src/cluster/schema-cache.ts';
import type { Schema } from '../../../src/model/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const kinds = new Map<string, Schema>([['X', { type: 'any' }]]);
const hash = (number: number): string => number.toString(16).padStart(128, '0');

test('what one process saved the next one loads, in a folder that was not there', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'a', 'b');
  expect(await createSchemaCache(path).load(hash(1))).toBeUndefined();
  await createSchemaCache(path).save(hash(1), kinds);
  expect(await createSchemaCache(path).load(hash(1))).toEqual(kinds);
  expect(await createSchemaCache(path).load(hash(2))).toBeUndefined();
  expect(await readdir(path)).toEqual([`schemas-v2-${hash(1)}.json`]);
});

test('a broken file is not loaded, and written anew', async () => {
  await using folder = await tempFolder();
  const cache = createSchemaCache(folder.path);
  await cache.save(hash(1), kinds);
  const file = join(folder.path, `schemas-v2-${hash(1)}.json`);
  await writeFile(file, (await readFile(file, 'utf8')).slice(0, 20));
  expect(await cache.load(hash(1))).toBeUndefined();
  await cache.save(hash(1), kinds);
  expect(await cache.load(hash(1))).toEqual(kinds);
});

test('the oldest go when there are more than two hundred, and nothing that is not ours', async () => {
  await using folder = await tempFolder();
  const cache = createSchemaCache(folder.path);
  await writeFile(join(folder.path, 'notes.txt'), 'mine');
  await utimes(join(folder.path, 'notes.txt'), 1, 1);
  for (let number = 0; number < 200; number += 1) {
    await cache.save(hash(number), kinds);
    await utimes(join(folder.path, `schemas-v2-${hash(number)}.json`), 1000 + number, 1000 + number);
  }
  await writeFile(join(folder.path, `schemas-v0-${hash(1)}.json`), 'of an older version');
  await utimes(join(folder.path, `schemas-v0-${hash(1)}.json`), 999, 999);
  // Loading is using: it makes the oldest one of ours new.
  await cache.load(hash(0));
  await cache.save(hash(999), kinds);
  const names = await readdir(folder.path);
  expect(names).toHaveLength(201);
  expect(names).toContain('notes.txt');
  expect(names).not.toContain(`schemas-v0-${hash(1)}.json`);
  expect(await cache.load(hash(0))).toEqual(kinds);
  expect(await cache.load(hash(1))).toBeUndefined();
  expect(await cache.load(hash(2))).toEqual(kinds);
});

test('a file that is used every hour is marked once a day', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, `schemas-v2-${hash(1)}.json`);
  await createSchemaCache(folder.path).save(hash(1), kinds);
  const before = (await stat(file)).mtimeMs;
  await createSchemaCache(folder.path, () => before + 3_600_000).load(hash(1));
  expect((await stat(file)).mtimeMs).toBe(before);
  await createSchemaCache(folder.path, () => before + 90_000_000).load(hash(1));
  expect((await stat(file)).mtimeMs).toBeGreaterThan(before);
});

test('a folder that cannot be written costs nothing but time', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'file');
  await writeFile(path, '');
  const cache = createSchemaCache(path);
  await cache.save(hash(1), kinds);
  expect(await cache.load(hash(1))).toBeUndefined();
  await mkdir(join(folder.path, `schemas-v2-${hash(1)}.json`));
  const blocked = createSchemaCache(folder.path);
  await blocked.save(hash(1), kinds);
  expect(await blocked.load(hash(1))).toBeUndefined();
  expect((await readdir(folder.path)).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
});

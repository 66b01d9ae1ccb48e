import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWatchedFile } from '../../../../src/cluster/auth/watched-file.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('a file is read again when it was replaced, and looked at once a second at most', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'token');
  let at = 0;
  const read = createWatchedFile(path, () => at);
  await writeFile(path, 'one');
  const first = await read();
  expect(first.toString()).toBe('one');
  await writeFile(path, 'three');
  expect(await read()).toBe(first);
  at = 1000;
  expect((await read()).toString()).toBe('three');
});

test('a mounted volume that is switched over is noticed', async () => {
  await using folder = await tempFolder();
  const volume = async (name: string, content: string): Promise<void> => {
    await mkdir(join(folder.path, name));
    await writeFile(join(folder.path, name, 'token'), content);
    await symlink(name, join(folder.path, 'next'));
    await rename(join(folder.path, 'next'), join(folder.path, '..data'));
  };
  await volume('1', 'old');
  await symlink('..data/token', join(folder.path, 'token'));
  let at = 0;
  const read = createWatchedFile(join(folder.path, 'token'), () => at);
  expect((await read()).toString()).toBe('old');
  await volume('2', 'new');
  at = 1000;
  expect((await read()).toString()).toBe('new');
});

test('the same content is the same object, so that connections are kept', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'ca.crt');
  let at = 0;
  const read = createWatchedFile(path, () => at);
  await writeFile(path, 'same');
  const first = await read();
  await rm(path);
  await writeFile(path, 'same');
  at = 1000;
  expect(await read()).toBe(first);
});

test('what the server refused is read again at once', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'token');
  const read = createWatchedFile(path, () => 0);
  await writeFile(path, 'old');
  const refused = await read();
  await writeFile(path, 'new');
  expect((await read(refused)).toString()).toBe('new');
});

test('a file that is gone for a moment stands as it was, one that never was is an error', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'token');
  let at = 0;
  const read = createWatchedFile(path, () => at);
  await expect(read()).rejects.toThrow(path);
  await writeFile(path, 'one');
  const first = await read();
  await rm(path);
  at = 1000;
  expect(await read()).toBe(first);
  await expect(read(first)).rejects.toThrow(path);
});

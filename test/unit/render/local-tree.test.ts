import { execFileSync } from 'node:child_process';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SourceTree } from '../../../src/model/index.ts';
import { openLocalTree } from '../../../src/render/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const { path, remove } = await tempFolder();
  onTestFinished(remove);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, file)), { recursive: true });
    await writeFile(join(path, file), content);
  }
  return path;
}

const askAll = (tree: SourceTree, path: string): Promise<unknown>[] => [tree.typeOf(path), tree.idOf(path), tree.list(path), tree.read(path)];

test('Git\'s own folder is no part of a source, by name or through a link', async () => {
  const root = await folderOf({ '.git/config': 'canary', 'sub/.git/config': 'canary', 'a.yaml': '1' });
  await symlink('.git/config', join(root, 'to-config'));
  await symlink('.git', join(root, 'to-git'));
  const tree = await openLocalTree({ root });
  expect((await tree.list('')).map(({ name }) => name)).toEqual(['a.yaml', 'sub', 'to-config', 'to-git']);
  expect(await tree.list('sub')).toEqual([]);
  for (const path of ['.git', '.git/config', 'sub/.git/config']) {
    expect(await tree.typeOf(path)).toBeUndefined();
    await expect(tree.read(path)).rejects.toMatchObject({ code: 'PathNotFound' });
  }
  for (const path of ['to-config', 'to-git/config']) await expect(tree.read(path)).rejects.toMatchObject({ code: 'PathInvalid' });
});

test('the id of a file is Git\'s own', async () => {
  const root = await folderOf({ 'a.yaml': 'hello\n' });
  const expected = execFileSync('git', ['hash-object', join(root, 'a.yaml')]).toString().trim();
  expect(await (await openLocalTree({ root })).idOf('a.yaml')).toBe(expected);
});

test('a file that is too large to read has an id, and so have the folders above it', async () => {
  const root = await folderOf({ 'web/big': 'x'.repeat(100) });
  const tree = await openLocalTree({ root, maxFileBytes: 10 });
  await expect(tree.read('web/big')).rejects.toMatchObject({ code: 'SourceTooLarge', message: expect.stringMatching(/web\/big.*100.*10/) as string });
  const ids = [await tree.idOf('web/big'), await tree.idOf('')];
  await writeFile(join(root, 'web/big'), 'y'.repeat(100));
  expect([await tree.idOf('web/big'), await tree.idOf('')]).not.toEqual(ids);
});

test('pipes are no part of a source, and nobody waits for them', async () => {
  const root = await folderOf({ 'a.yaml': '1' });
  execFileSync('mkfifo', [join(root, 'pipe.yaml')]);
  const tree = await openLocalTree({ root });
  expect((await tree.list('')).map(({ name }) => name)).toEqual(['a.yaml']);
  expect(await tree.typeOf('pipe.yaml')).toBeUndefined();
  await expect(tree.read('pipe.yaml')).rejects.toMatchObject({ code: 'PathNotFound' });
});

test('a link that is swapped between good and bad never shows what is outside', async () => {
  const outside = await folderOf({ 'a.yaml': 'canary' });
  const root = await folderOf({ 'good/a.yaml': 'inside' });
  const tree = await openLocalTree({ root });
  await symlink('good', join(root, 'swapped'));
  const done = new AbortController();
  const swapping = (async () => {
    for (let round = 0; !done.signal.aborted; round += 1) {
      await symlink(round % 2 === 0 ? outside : 'good', join(root, 'next'));
      await rename(join(root, 'next'), join(root, 'swapped'));
    }
  })();
  const seen = new Set<string>();
  for (let round = 0; round < 300; round += 1) seen.add(await tree.read('swapped/a.yaml').then((content) => Buffer.from(content).toString(), (error: { code: string }) => error.code));
  done.abort();
  await swapping;
  expect([...seen].filter((text) => !['inside', 'PathInvalid', 'PathNotFound'].includes(text))).toEqual([]);
});

test('a folder that is swapped for a link out never shows what is outside', async () => {
  const outside = await folderOf({ 'a.yaml': 'canary' });
  const root = await folderOf({ 'web/a.yaml': 'inside' });
  const tree = await openLocalTree({ root });
  await symlink(outside, join(root, 'evil'));
  const done = new AbortController();
  const swapping = (async () => {
    while (!done.signal.aborted) {
      for (const [from, to] of [['web', 'kept'], ['evil', 'web'], ['web', 'evil'], ['kept', 'web']] as const) await rename(join(root, from), join(root, to));
    }
  })();
  const seen = new Set<string>();
  for (let round = 0; round < 300; round += 1) seen.add(await tree.read('web/a.yaml').then((content) => Buffer.from(content).toString(), (error: { code: string }) => error.code));
  done.abort();
  await swapping;
  expect([...seen].filter((text) => !['inside', 'PathInvalid', 'PathNotFound'].includes(text))).toEqual([]);
});

test('a root that is itself a link is where it leads', async () => {
  const root = await folderOf({ 'real/a.yaml': '1' });
  await symlink('real', join(root, 'link'));
  expect((await (await openLocalTree({ root: join(root, 'link') })).list('')).map(({ name }) => name)).toEqual(['a.yaml']);
});

test.each(['x'.repeat(300), 'a\\b', '%2e%2e', '~', '-rf'])('%j is a name like any other, and not there', async (path) => {
  const tree = await openLocalTree({ root: await folderOf({ 'a.yaml': '1' }) });
  expect(await tree.typeOf(path)).toBeUndefined();
});

test.each(['../a', '/etc/passwd', 'a//b', './a', 'a/..', 'a\0'])('%j is no path, whatever is asked', async (path) => {
  const tree = await openLocalTree({ root: await folderOf({ 'a.yaml': '1' }) });
  for (const asked of askAll(tree, path)) await expect(asked).rejects.toMatchObject({ code: 'PathInvalid' });
});

import { describe, expect, onTestFinished, test } from 'vitest';
import type { SourceTree } from '../../src/model/index.ts';

/** Path → content. */
export type TreeFiles = Readonly<Record<string, string | Uint8Array>>;
/** Path → where it leads, as it is written in the link. */
export type TreeLinks = Readonly<Record<string, string>>;

export interface MadeTree extends AsyncDisposable {
  readonly tree: SourceTree;
}

/** Builds a tree with these files and links. Files are read up to 4 MiB. */
export type MakeTree = (files: TreeFiles, links: TreeLinks) => Promise<MadeTree>;

/** What every SourceTree promises, whatever it is made of. */
export function sourceTreeContract(name: string, make: MakeTree): void {
  const treeOf = async (files: TreeFiles, links: TreeLinks = {}): Promise<SourceTree> => {
    const made = await make(files, links);
    onTestFinished(() => made[Symbol.asyncDispose]());
    return made.tree;
  };
  describe(`a tree: ${name}`, () => {
    testPaths(treeOf);
    testLinks(treeOf);
    testIds(treeOf);
    testContents(treeOf);
  });
}

type TreeOf = (files: TreeFiles, links?: TreeLinks) => Promise<SourceTree>;

const text = async (tree: SourceTree, path: string): Promise<string> => Buffer.from(await tree.read(path)).toString();
const invalid = { code: 'PathInvalid' };
const notFound = { code: 'PathNotFound' };

function testPaths(treeOf: TreeOf): void {
  test('files and folders are what they are, and nothing is undefined', async () => {
    const tree = await treeOf({ 'a.yaml': '1', 'web/deep/b.yaml': '2' });
    expect(await tree.typeOf('')).toBe('folder');
    expect(await tree.typeOf('a.yaml')).toBe('file');
    expect(await tree.typeOf('web')).toBe('folder');
    expect(await tree.typeOf('web/deep')).toBe('folder');
    expect(await tree.typeOf('web/deep/b.yaml')).toBe('file');
    for (const path of ['nope', 'web/nope', 'nope/nope', 'a.yaml/b', 'A.yaml']) {
      expect(await tree.typeOf(path)).toBeUndefined();
      expect(await tree.idOf(path)).toBeUndefined();
    }
  });

  test('what is not there, or is something else, is not found by name', async () => {
    const tree = await treeOf({ 'a.yaml': '1', 'web/b.yaml': '2' });
    for (const path of ['nope', 'web', '', 'a.yaml/b', 'web/nope']) await expect(tree.read(path)).rejects.toMatchObject({ ...notFound, message: expect.stringContaining(path) as string });
    for (const path of ['nope', 'a.yaml', 'web/b.yaml', 'a.yaml/b']) await expect(tree.list(path)).rejects.toMatchObject({ ...notFound, message: expect.stringContaining(path) as string });
  });

  test.each(['/', '/a.yaml', 'a.yaml/', 'web//b.yaml', '.', './a.yaml', 'web/.', '..', '../a.yaml', 'web/../a.yaml', 'web/..', 'a\0.yaml'])('%j is no path', async (path) => {
    const tree = await treeOf({ 'a.yaml': '1', 'web/b.yaml': '2' });
    for (const ask of [tree.typeOf, tree.idOf, tree.list, tree.read]) await expect(ask(path)).rejects.toMatchObject(invalid);
  });

  test('entries come in the order of their names\' bytes, folders among files', async () => {
    const files = ['b', 'a-b', 'a.yaml', 'a/x', 'a0', 'Z', 'ä', '~', 'a b', '10', '9', 'é', '\u{1f600}', '\uff5e'];
    const tree = await treeOf(Object.fromEntries(files.map((path) => [path, 'x'])));
    const names = files.map((path) => path.replace('/x', ''));
    const inOrder = names.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    expect((await tree.list('')).map((entry) => entry.name)).toEqual(inOrder);
    expect((await tree.list('')).find((entry) => entry.name === 'a')).toEqual({ name: 'a', type: 'folder' });
    expect(await tree.list('a')).toEqual([{ name: 'x', type: 'file' }]);
  });

  test('odd names are names', async () => {
    const odd = ['-rf', '--help', '$(x)', 'a\nb', 'tab\there', ' lead', '%2e%2e', '...', '.hidden', 'x'.repeat(200), 'quote"\'', '*', 'con', '..yaml', 'git', '.gitignore', '.github/x'];
    const tree = await treeOf(Object.fromEntries(odd.map((path) => [path, `content of ${path}`])));
    for (const path of odd) expect(await text(tree, path)).toBe(`content of ${path}`);
  });

  test('names that a program would stumble over are only names', async () => {
    const tree = await treeOf({ constructor: '1', toString: '2', hasOwnProperty: '3' });
    expect((await tree.list('')).map((entry) => entry.name)).toEqual(['constructor', 'hasOwnProperty', 'toString']);
    expect(await tree.typeOf('__proto__')).toBeUndefined();
    expect(await tree.typeOf('valueOf')).toBeUndefined();
  });
}

function testLinks(treeOf: TreeOf): void {
  test('a link is listed as one and followed everywhere else', async () => {
    const tree = await treeOf({ 'base/a.yaml': '1', 'base/deep/b.yaml': '2' }, { 'to-file': 'base/a.yaml', 'to-folder': 'base', 'over/up': '../base/deep' });
    expect(await tree.list('')).toEqual([
      { name: 'base', type: 'folder' },
      { name: 'over', type: 'folder' },
      { name: 'to-file', type: 'link' },
      { name: 'to-folder', type: 'link' },
    ]);
    expect(await tree.typeOf('to-file')).toBe('file');
    expect(await tree.typeOf('to-folder')).toBe('folder');
    expect(await text(tree, 'to-file')).toBe('1');
    expect(await text(tree, 'to-folder/a.yaml')).toBe('1');
    expect(await text(tree, 'to-folder/deep/b.yaml')).toBe('2');
    expect(await text(tree, 'over/up/b.yaml')).toBe('2');
    expect(await tree.list('to-folder')).toEqual(await tree.list('base'));
  });

  test('steps up in a link start where the link really is', async () => {
    const tree = await treeOf({ 'x/y/here.yaml': 'physical', 'x/target.yaml': 'right', 'target.yaml': 'wrong' }, { short: 'x/y', via: 'short/../target.yaml', 'x/y/up': '../target.yaml' });
    expect(await text(tree, 'via')).toBe('right');
    expect(await text(tree, 'short/up')).toBe('right');
  });

  test('a link may go through the root, through dots and to the root', async () => {
    const tree = await treeOf({ 'a/b/c.yaml': '1' }, { 'a/root': '..', dots: './a/./b//c.yaml', 'a/b/same': '.', self: '.' });
    expect(await text(tree, 'a/root/a/b/c.yaml')).toBe('1');
    expect(await text(tree, 'dots')).toBe('1');
    expect(await text(tree, 'a/b/same/c.yaml')).toBe('1');
    expect(await tree.typeOf('self')).toBe('folder');
  });

  test('ten links in a row are followed, eleven are not', async () => {
    const links = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`l${index + 1}`, index === 0 ? 'a.yaml' : `l${index}`]));
    const tree = await treeOf({ 'a.yaml': 'end' }, links);
    expect(await text(tree, 'l10')).toBe('end');
    await expect(tree.read('l11')).rejects.toMatchObject(invalid);
  });

  test.each([
    ['absolute', '/etc/passwd'],
    ['absolute to itself', '/'],
    ['one step out', '../outside'],
    ['far out', 'web/../../../../etc/passwd'],
    ['out and in again', '../repo/a.yaml'],
    ['up through a link', 'up/../..'],
    ['leading nowhere', 'nope'],
    ['leading below a file', 'a.yaml/b'],
    ['to itself', 'bad'],
    ['in a circle', 'circle-1'],
    ['to a link that is bad', 'other'],
  ])('a link %s is invalid, for every question and in the middle of a path', async (_name, target) => {
    const tree = await treeOf({ 'a.yaml': '1', 'web/b.yaml': '2' }, { bad: target, up: 'web', 'circle-1': 'circle-2', 'circle-2': 'circle-1', other: '../x' });
    for (const ask of [tree.typeOf, tree.idOf, tree.list, tree.read]) {
      await expect(ask('bad')).rejects.toMatchObject({ ...invalid, message: expect.stringContaining('bad') as string });
      await expect(ask('bad/x')).rejects.toMatchObject(invalid);
    }
    expect((await tree.list('')).find((entry) => entry.name === 'bad')).toEqual({ name: 'bad', type: 'link' });
  });

  test('what is missing behind a good link is missing, not invalid', async () => {
    const tree = await treeOf({ 'base/a.yaml': '1' }, { link: 'base' });
    expect(await tree.typeOf('link/nope')).toBeUndefined();
    await expect(tree.read('link/nope')).rejects.toMatchObject(notFound);
  });
}

function testIds(treeOf: TreeOf): void {
  const files = { 'a.yaml': '1', 'same.yaml': '1', 'web/b.yaml': '2', 'web/deep/c.yaml': '3' };

  test('an id names content: equal where it is equal, another where anything below differs', async () => {
    const one = await treeOf(files);
    const two = await treeOf({ ...files, 'web/deep/c.yaml': 'other' });
    expect(await one.idOf('a.yaml')).toBe(await one.idOf('same.yaml'));
    expect(await one.idOf('a.yaml')).toBe(await two.idOf('a.yaml'));
    expect(await one.idOf('web/b.yaml')).toBe(await two.idOf('web/b.yaml'));
    for (const path of ['', 'web', 'web/deep', 'web/deep/c.yaml']) expect(await one.idOf(path)).not.toBe(await two.idOf(path));
  });

  test('a file more, a file renamed or moved makes another folder', async () => {
    const base = await treeOf({ 'web/a': '1', 'web/b/c': '2' });
    const others = [{ 'web/a': '1', 'web/b/c': '2', 'web/d': '' }, { 'web/A': '1', 'web/b/c': '2' }, { 'web/a': '1', 'web/bc': '2' }, { 'web/a': '2', 'web/b/c': '1' }];
    const ids = await Promise.all(others.map(async (other) => (await treeOf(other)).idOf('web')));
    expect(new Set([await base.idOf('web'), ...ids]).size).toBe(5);
  });

  test('a link counts in a folder by where it points, and itself by what is there', async () => {
    const first = await treeOf({ 'web/x': '1', other: '1' }, { 'web/link': 'x' });
    const second = await treeOf({ 'web/x': '1', other: '1' }, { 'web/link': '../other' });
    expect(await first.idOf('web')).not.toBe(await second.idOf('web'));
    expect(await first.idOf('web/link')).toBe(await second.idOf('web/link'));
    expect(await first.idOf('web/link')).toBe(await first.idOf('web/x'));
    const file = await treeOf({ 'web/x': '1', 'web/link': 'x', other: '1' });
    expect(await file.idOf('web')).not.toBe(await first.idOf('web'));
  });
}

function testContents(treeOf: TreeOf): void {
  test('bytes are as they were, whatever they are', async () => {
    const contents = { empty: new Uint8Array(), crlf: '1\r\n2\r\n', bom: '\ufefftext', binary: Uint8Array.from({ length: 70_000 }, (_, index) => (index * index) >> 3), text: 'ü\n' };
    const tree = await treeOf(contents);
    for (const [path, content] of Object.entries(contents)) expect(Buffer.from(await tree.read(path)).equals(Buffer.from(content))).toBe(true);
  });

  test('four MiB are read, one byte more is too large and told by name, size and limit', async () => {
    const limit = 4 * 2 ** 20;
    const tree = await treeOf({ fits: new Uint8Array(limit), 'web/over': new Uint8Array(limit + 1) }, { link: 'web/over' });
    expect((await tree.read('fits')).length).toBe(limit);
    for (const path of ['web/over', 'link']) {
      const error = await tree.read(path).catch((caught: unknown) => caught as Error);
      expect(error).toMatchObject({ code: 'SourceTooLarge' });
      for (const part of [path, String(limit + 1), String(limit)]) expect((error as Error).message).toContain(part);
    }
    expect(await tree.typeOf('web/over')).toBe('file');
  });

  test('a Git LFS pointer is not taken for the file', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n';
    const tree = await treeOf({ 'web/big.yaml': pointer, 'web/about.md': `# LFS\n${pointer}` }, { link: 'web/big.yaml' });
    for (const path of ['web/big.yaml', 'link']) await expect(tree.read(path)).rejects.toMatchObject({ ...invalid, message: expect.stringMatching(/LFS/) as string });
    expect(await tree.typeOf('web/big.yaml')).toBe('file');
    expect(await text(tree, 'web/about.md')).toContain('LFS');
  });

  test('a thousand reads at once all come back', async () => {
    const files = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`d${index % 7}/f${index}`, `content ${index}`]));
    const tree = await treeOf(files);
    const read = await Promise.all(Object.keys(files).map(async (path) => [path, await text(tree, path)]));
    expect(Object.fromEntries(read)).toEqual(files);
  });
}

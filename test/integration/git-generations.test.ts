import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitScene, textsOf, type GitScene } from '../support/git-scene.ts';
import { waitFor } from '../support/wait-for.ts';

const { signal } = new AbortController();

/** The one folder of the one repository. */
async function copyOf(at: GitScene): Promise<string> {
  const [name = ''] = await readdir(at.folder);
  return join(at.folder, name);
}

async function generationsOf(at: GitScene): Promise<readonly string[]> {
  return (await readdir(await copyOf(at))).filter((name) => name.startsWith('generation-'));
}

async function packFolderOf(at: GitScene): Promise<string> {
  const [name = ''] = await generationsOf(at);
  return join(await copyOf(at), name, 'objects/pack');
}

test('a copy is for nobody else to read, and holds no URL', async () => {
  const secret = { username: 'me', password: 'canary-4711' };
  await using at = await gitScene(secret);
  await at.repository.commit({ 'a.yaml': '1' });
  using snapshot = await at.open().pull('main', signal);
  expect(snapshot.commit).toHaveLength(40);
  expect((await stat(await copyOf(at))).mode & 0o777).toBe(0o700);
  const files = await readdir(at.folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const content = await readFile(join(file.parentPath, file.name), 'latin1');
    expect(content).not.toContain('canary');
    expect(content).not.toContain('127.0.0.1');
  }
});

test('a copy is used again after a restart', async () => {
  await using at = await gitScene();
  await at.repository.commit({ 'a.yaml': '1' });
  const first = at.open();
  (await first.pull('main', signal))[Symbol.dispose]();
  await first.close();
  await at.repository.commit({ 'a.yaml': '2' });
  const second = at.open();
  using snapshot = await second.pull('main', signal);
  expect(await textsOf(snapshot.tree)).toEqual({ 'a.yaml': '2' });
  expect(at.events).toEqual(['listed', 'first', 'listed', 'incremental']);
});

test('with too many packs a new copy is made; snapshots of the old one stay readable until they are let go, then it is deleted', async () => {
  await using at = await gitScene();
  await at.repository.commit({ 'a.yaml': '0' });
  const source = at.open('remote', { limits: { packs: 3 } });
  const old = await source.pull('main', signal);
  for (const content of ['1', '2', '3']) {
    await at.repository.commit({ 'a.yaml': content });
    using snapshot = await source.pull('main', signal);
    expect(await textsOf(snapshot.tree)).toEqual({ 'a.yaml': content });
  }
  expect(at.events.filter((event) => event !== 'listed')).toEqual(['first', 'incremental', 'incremental', 'first']);
  expect(await generationsOf(at)).toHaveLength(2);
  expect(await textsOf(old.tree)).toEqual({ 'a.yaml': '0' });
  old[Symbol.dispose]();
  old[Symbol.dispose]();
  await waitFor(async () => (await generationsOf(at)).length === 1, { what: 'the old copy to go' });
  using after = await source.pull('main', signal);
  expect(await textsOf(after.tree)).toEqual({ 'a.yaml': '3' });
});

test('fifty packs are the usual limit', { timeout: 120_000 }, async () => {
  await using at = await gitScene();
  const source = at.open();
  await at.repository.commit({ 'a.yaml': '0' });
  (await source.pull('main', signal))[Symbol.dispose]();
  for (let count = 1; count <= 50; count += 1) {
    await at.repository.git('update-ref', 'refs/heads/main', await at.repository.git('commit-tree', 'main^{tree}', '-p', 'main', '-m', `commit ${count}`));
    (await source.pull('main', signal))[Symbol.dispose]();
  }
  const fetches = at.events.filter((event) => event !== 'listed');
  expect(fetches).toEqual(['first', ...Array<string>(49).fill('incremental'), 'first']);
});

test('a rewritten history with a long past is not fetched with its past', async () => {
  await using at = await gitScene();
  await at.repository.commit({ 'a.yaml': '1' });
  const source = at.open();
  (await source.pull('main', signal))[Symbol.dispose]();
  for (let count = 0; count < 6; count += 1) await at.repository.commitTo('other', { 'big.bin': Array.from({ length: 40_000 }, () => Math.random().toString(36)).join('') });
  await at.repository.commitTo('other', { 'big.bin': 'small now', 'a.yaml': 'rewritten' });
  const rewritten = await at.repository.git('commit-tree', 'other^{tree}', '-p', 'other~1', '-m', 'rewritten');
  await at.repository.git('update-ref', 'refs/heads/main', rewritten);
  using snapshot = await source.pull('main', signal);
  expect(snapshot.commit).toBe(rewritten);
  expect((await textsOf(snapshot.tree))['a.yaml']).toBe('rewritten');
  const { bytes } = await sizeOf(await packFolderOf(at));
  expect(bytes).toBeLessThan(2 ** 20 * 4);
});

async function sizeOf(folder: string): Promise<{ readonly bytes: number }> {
  const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
  return { bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

test('more than the limit for a fetch is too large, and leaves nothing', async () => {
  await using at = await gitScene();
  await at.repository.commit({ 'a.bin': Array.from({ length: 20_000 }, () => Math.random().toString(36)).join('') });
  const source = at.open('remote', { limits: { fetchBytes: 50_000 } });
  await expect(source.pull('main', signal)).rejects.toMatchObject({ code: 'SourceTooLarge', message: expect.stringContaining('50000') as string });
  await source.close();
  expect(await generationsOf(at)).toEqual([]);
});

describe('what a crash can leave', () => {
  const damages: readonly [string, (at: GitScene) => Promise<unknown>][] = [
    ['no pointer', async (at) => writeFile(join(await copyOf(at), 'current.json'), '')],
    ['garbage as the pointer', async (at) => writeFile(join(await copyOf(at), 'current.json'), '{"format":1,"generation":"../../etc"')],
    ['a pointer to a generation that is not there', async (at) => writeFile(join(await copyOf(at), 'current.json'), JSON.stringify({ format: 1, generation: 'generation-0', firstBytes: 1, shallow: [], references: {} }))],
    ['a pointer to somewhere else', async (at) => writeFile(join(await copyOf(at), 'current.json'), JSON.stringify({ format: 1, generation: '..', firstBytes: 1, shallow: [], references: {} }))],
    ['a pack that is cut', async (at) => Promise.all((await filesOf(at, '.pack')).map((path) => truncate(path, 40)))],
    ['a pack that is empty', async (at) => Promise.all((await filesOf(at, '.pack')).map((path) => truncate(path, 0)))],
    ['an index that is cut', async (at) => Promise.all((await filesOf(at, '.idx')).map((path) => truncate(path, 1000)))],
    ['an index of nothing', async (at) => Promise.all((await filesOf(at, '.idx')).map((path) => truncate(path, 0)))],
    ['a pack with other bytes', async (at) => Promise.all((await filesOf(at, '.pack')).map(async (path) => writeFile(path, (await readFile(path)).map((byte, index) => (index > 20 ? byte ^ 0x55 : byte)))))],
    ['an index with other places', async (at) => Promise.all((await filesOf(at, '.idx')).map(async (path) => writeFile(path, (await readFile(path)).map((byte, index) => (index > 1100 ? byte ^ 0x01 : byte)))))],
  ];

  async function filesOf(at: GitScene, ending: string): Promise<readonly string[]> {
    const folder = await packFolderOf(at);
    return (await readdir(folder)).filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
  }

  test.each(damages)('%s: the next start heals it', async (_name, damage) => {
    await using at = await gitScene();
    await at.repository.commit({ 'a.yaml': '1', 'web/b.yaml': '2' });
    const first = at.open();
    (await first.pull('main', signal))[Symbol.dispose]();
    await first.close();
    await damage(at);
    const second = at.open();
    using snapshot = await second.pull('main', signal);
    expect(await textsOf(snapshot.tree)).toEqual({ 'a.yaml': '1', 'web/b.yaml': '2' });
    expect(await generationsOf(at)).toHaveLength(1);
    expect(at.events).toEqual(['listed', 'first', 'listed', 'first']);
  });

  test('a pack without its index, garbage and half a pointer beside a copy that is whole: it stays, they go', async () => {
    await using at = await gitScene();
    await at.repository.commit({ 'a.yaml': '1' });
    const first = at.open();
    (await first.pull('main', signal))[Symbol.dispose]();
    await first.close();
    const copy = await copyOf(at);
    await writeFile(join(await packFolderOf(at), `pack-${'0'.repeat(40)}.pack`), 'PACK half');
    await mkdir(join(copy, 'generation-unfinished/objects'), { recursive: true });
    await writeFile(join(copy, 'current.json.new'), '{"for');
    await writeFile(join(copy, 'lock'), 'not a lock');
    await mkdir(join(copy, 'others/dead'), { recursive: true });
    const second = at.open();
    using snapshot = await second.pull('main', signal);
    expect(await textsOf(snapshot.tree)).toEqual({ 'a.yaml': '1' });
    expect(at.events).toEqual(['listed', 'first', 'listed']);
    await at.repository.commit({ 'a.yaml': '2' });
    using next = await second.pull('main', signal);
    expect(await textsOf(next.tree)).toEqual({ 'a.yaml': '2' });
    expect(existsSync(join(await packFolderOf(at), `pack-${'0'.repeat(40)}.pack`))).toBe(false);
    expect((await readdir(copy)).toSorted()).toEqual(['current.json', expect.stringMatching(/^generation-/) as string, 'lock', 'others']);
    expect(await readdir(join(copy, 'others'))).toEqual([]);
  });

  test('a folder that was emptied under a running agent is filled again', async () => {
    await using at = await gitScene();
    await at.repository.commit({ 'a.yaml': '1' });
    const source = at.open();
    (await source.pull('main', signal))[Symbol.dispose]();
    await rm(at.folder, { recursive: true });
    await at.repository.commit({ 'a.yaml': '2' });
    using snapshot = await source.pull('main', signal);
    expect(await textsOf(snapshot.tree)).toEqual({ 'a.yaml': '2' });
  });

  test('a copy that breaks while it is read is said to be broken, and the next pull makes a new one', async () => {
    await using at = await gitScene();
    await at.repository.commit({ 'a.yaml': '1'.repeat(3_000_000), 'b.yaml': Array.from({ length: 100_000 }, () => Math.random().toString(36)).join('') });
    const source = at.open();
    using before = await source.pull('main', signal);
    for (const path of await filesOf(at, '.pack')) await truncate(path, 2000);
    await expect(before.tree.read('b.yaml')).rejects.toMatchObject({ code: 'RepositoryInvalid', message: expect.stringContaining('broken') as string });
    using after = await source.pull('main', signal);
    expect((await after.tree.read('b.yaml')).length).toBeGreaterThan(100_000);
    expect(at.events).toEqual(['listed', 'first', 'listed', 'first']);
  });
});

describe('two who use one folder', () => {
  test('both work, the second in a folder of its own that goes with it', async () => {
    await using at = await gitScene();
    await at.repository.commit({ 'a.yaml': '1' });
    const first = at.open();
    using one = await first.pull('main', signal);
    const second = at.open();
    const two = await second.pull('main', signal);
    const others = join(await copyOf(at), 'others');
    expect(await readdir(others)).toHaveLength(1);
    await at.repository.commit({ 'a.yaml': '2' });
    using oneMore = await first.pull('main', signal);
    using twoMore = await second.pull('main', signal);
    for (const snapshot of [one, two]) expect(await textsOf(snapshot.tree)).toEqual({ 'a.yaml': '1' });
    for (const snapshot of [oneMore, twoMore]) expect(await textsOf(snapshot.tree)).toEqual({ 'a.yaml': '2' });
    await second.close();
    expect(await readdir(others)).toEqual([]);
    await first.close();
    await appendFile(join(await copyOf(at), 'current.json'), '\n');
    const third = at.open();
    using three = await third.pull('main', signal);
    expect(await textsOf(three.tree)).toEqual({ 'a.yaml': '2' });
    expect(at.events.filter((event) => event === 'first')).toHaveLength(2);
  });
});

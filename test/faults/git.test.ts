import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { gitScene, textsOf, type GitScene } from '../support/git-scene.ts';
import { waitFor } from '../support/wait-for.ts';

const run = promisify(execFile);
const { signal } = new AbortController();
const child = join(import.meta.dirname, '../support/git-pull-child.ts');

async function packsOf(at: GitScene): Promise<readonly string[]> {
  const files = await readdir(at.folder, { recursive: true }).catch(() => []);
  return files.filter((name) => /objects\/pack\/.+/.test(name));
}

/** What is beside the folder: nothing may come there. */
async function around(at: GitScene): Promise<readonly string[]> {
  return readdir(dirname(at.folder));
}

describe('a process that is killed while it fetches', () => {
  // Large enough that indexing takes a while: the kill falls between pack and index.
  const many = (text: string): Record<string, string> => Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`f/${index}.yaml`, `${text} ${index} ${Math.sin(index)}\n`]));

  test('between pack and index, the first time: the next start is fine and leaves no rest', async () => {
    await using at = await gitScene();
    const commit = await at.repository.commit(many('one'));
    const process = spawn('node', [child, at.repository.url, at.folder], { stdio: 'ignore' });
    await waitFor(async () => (await packsOf(at)).some((name) => name.endsWith('.pack')), { what: 'a pack on disk' });
    process.kill('SIGKILL');
    await once(process, 'exit');
    expect((await packsOf(at)).some((name) => name.endsWith('.idx'))).toBe(false);
    const source = at.open();
    using snapshot = await source.pull('main', signal);
    expect(snapshot.commit).toBe(commit);
    expect(Object.keys(await textsOf(snapshot.tree))).toHaveLength(3000);
    expect(new Set((await packsOf(at)).map((name) => name.split('.').at(-1)))).toEqual(new Set(['idx', 'pack']));
    expect(await packsOf(at)).toHaveLength(2);
    expect(await around(at)).toEqual([basename(at.folder)]);
  });

  test('between pack and index, on top of a copy: the old commit is there without the server, and the next pull is fine', async () => {
    await using at = await gitScene();
    const old = await at.repository.commit({ 'a.yaml': '1' });
    const first = at.open();
    (await first.pull('main', signal))[Symbol.dispose]();
    await first.close();
    const commit = await at.repository.commit(many('two'));
    const process = spawn('node', [child, at.repository.url, at.folder], { stdio: 'ignore' });
    await waitFor(async () => (await packsOf(at)).filter((name) => name.endsWith('.pack')).length === 2, { what: 'a second pack on disk' });
    process.kill('SIGKILL');
    await once(process, 'exit');
    expect((await packsOf(at)).filter((name) => name.endsWith('.idx'))).toHaveLength(1);
    const source = at.open();
    const requests = at.server.requests.length;
    using before = await source.pull(old, signal);
    expect(await textsOf(before.tree)).toEqual({ 'a.yaml': '1' });
    expect(at.server.requests).toHaveLength(requests);
    using after = await source.pull('main', signal);
    expect(after.commit).toBe(commit);
    expect(await after.tree.typeOf('f/2999.yaml')).toBe('file');
    expect((await packsOf(at)).filter((name) => name.endsWith('.idx'))).toHaveLength(2);
    expect((await packsOf(at)).filter((name) => name.endsWith('.pack'))).toHaveLength(2);
  });

  test('its lock does not keep the next one out', async () => {
    await using at = await gitScene();
    await at.repository.commit(many('one'));
    const process = spawn('node', [child, at.repository.url, at.folder], { stdio: 'ignore' });
    await waitFor(async () => (await readdir(at.folder, { recursive: true }).catch(() => [])).some((name) => name.endsWith('/lock')), { what: 'the lock' });
    process.kill('SIGKILL');
    await once(process, 'exit');
    const source = at.open();
    using snapshot = await source.pull('main', signal);
    expect(snapshot.commit).toHaveLength(40);
    expect((await readdir(at.folder, { recursive: true })).some((name) => name.includes('others/'))).toBe(false);
  });
});

test('two processes on one folder both get what they want', async () => {
  await using at = await gitScene();
  const commit = await at.repository.commit({ 'a.yaml': '1', 'b.bin': randomBytes(200_000).toString('hex') });
  const pulls = await Promise.all(Array.from({ length: 4 }, () => run('node', [child, at.repository.url, at.folder])));
  expect(pulls.map(({ stdout }) => stdout.trim())).toEqual(Array(4).fill(commit));
  using snapshot = await at.open().pull('main', signal);
  expect(snapshot.commit).toBe(commit);
  expect((await readdir(at.folder, { recursive: true })).some((name) => name.includes('others/'))).toBe(false);
});

test('a file system that takes no more: one sentence, the old commit stays readable, and the next pull is fine', async () => {
  await using at = await gitScene();
  const old = await at.repository.commit({ 'a.yaml': '1' });
  const first = at.open();
  (await first.pull('main', signal))[Symbol.dispose]();
  await first.close();
  const commit = await at.repository.commit({ 'b.bin': randomBytes(300_000).toString('hex') });
  // A limit on the size of files, whose signal is ignored: writing fails as on a full disk.
  const { stdout } = await run('sh', ['-c', 'trap "" XFSZ; ulimit -f 100; exec node "$@"', 'sh', child, at.repository.url, at.folder]);
  expect(stdout).toMatch(/^Internal: .*(?:EFBIG|ENOSPC|too large|full)/);
  const source = at.open();
  using before = await source.pull(old, signal);
  expect(await textsOf(before.tree)).toEqual({ 'a.yaml': '1' });
  using after = await source.pull('main', signal);
  expect(after.commit).toBe(commit);
});

const mayMount = process.platform === 'linux' && process.getuid?.() === 0;

test.skipIf(!mayMount)('a full disk: one sentence, the old commit stays readable, and with room again the next pull is fine', async () => {
  await using at = await gitScene();
  await mkdir(at.folder, { recursive: true });
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', at.folder]).then(() => true, () => false);
  expect(mounted).toBe(true);
  try {
    await at.repository.commit({ 'a.yaml': '1' });
    const source = at.open();
    using before = await source.pull('main', signal);
    const commit = await at.repository.commit({ 'b.bin': randomBytes(400_000).toString('hex') });
    await expect(source.pull('main', signal)).rejects.toMatchObject({ code: 'Internal', message: expect.stringMatching(/disk is full|ENOSPC/) as string });
    expect(await textsOf(before.tree)).toEqual({ 'a.yaml': '1' });
    await run('mount', ['-o', 'remount,size=16m', at.folder]);
    using after = await source.pull('main', signal);
    expect(after.commit).toBe(commit);
    await source.close();
  } finally {
    await run('umount', ['-l', at.folder]);
  }
});

test('a folder that cannot be one is said so', async () => {
  await using at = await gitScene();
  await at.repository.commit({ 'a.yaml': '1' });
  await writeFile(at.folder, 'a file');
  expect(existsSync(at.folder)).toBe(true);
  await expect(at.open().pull('main', signal)).rejects.toMatchObject({ code: 'Internal', message: expect.stringContaining(at.folder) as string });
});

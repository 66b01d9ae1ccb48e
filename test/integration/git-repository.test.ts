import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository, parseRepositoryUrl } from '../../src/git/index.ts';
import { gitScene, textsOf } from '../support/git-scene.ts';

const { signal } = new AbortController();

describe.each(['remote', 'local'] as const)('a %s repository', (where) => {
  test('a branch, a lightweight tag, an annotated tag, a tag of a tag, a full name, HEAD and a commit id lead to their commits', async () => {
    await using at = await gitScene();
    const first = await at.repository.commit({ 'a.yaml': '1' });
    await at.repository.git('tag', 'light', first);
    await at.repository.git('tag', '-a', 'heavy', '-m', 'x', first);
    await at.repository.git('tag', '-a', 'nested', '-m', 'x', 'heavy');
    const second = await at.repository.commit({ 'a.yaml': '2' });
    const source = at.open(where);
    for (const revision of ['main', 'refs/heads/main', 'HEAD', second]) {
      expect(await source.resolve(revision, signal)).toBe(second);
      using snapshot = await source.pull(revision, signal);
      expect(snapshot.commit).toBe(second);
      expect(await textsOf(snapshot.tree)).toEqual({ 'a.yaml': '2' });
    }
    for (const revision of ['light', 'heavy', 'nested', 'refs/tags/heavy', first]) {
      expect(await source.resolve(revision, signal)).toBe(first);
      using snapshot = await source.pull(revision, signal);
      expect(snapshot.commit).toBe(first);
      expect(await textsOf(snapshot.tree)).toEqual({ 'a.yaml': '1' });
    }
  });

  test('a branch wins over a tag of its name', async () => {
    await using at = await gitScene();
    const first = await at.repository.commit({ 'a.yaml': '1' });
    await at.repository.git('tag', 'same', first);
    const second = await at.repository.commitTo('same', { 'a.yaml': '2' });
    expect(await at.open(where).resolve('same', signal)).toBe(second);
    expect(await at.open(where).resolve('refs/tags/same', signal)).toBe(first);
  });

  test.each(['nope', 'refs/heads/nope', 'mai', 'f'.repeat(40), '../main', '--upload-pack=x', 'main~1', ''])('revision %j is not found by that name', async (revision) => {
    await using at = await gitScene();
    await at.repository.commit({ 'a.yaml': '1' });
    await expect(at.open(where).pull(revision, signal)).rejects.toMatchObject({ code: 'RevisionNotFound' });
  });

  test('two references of one repository are alive at once', async () => {
    await using at = await gitScene();
    await at.repository.commit({ 'a.yaml': '1' });
    await at.repository.git('tag', 'v1');
    await at.repository.commit({ 'a.yaml': '2' });
    const source = at.open(where);
    using main = await source.pull('main', signal);
    using tag = await source.pull('v1', signal);
    expect(await textsOf(main.tree)).toEqual({ 'a.yaml': '2' });
    expect(await textsOf(tag.tree)).toEqual({ 'a.yaml': '1' });
  });

  test('an empty repository is said to be empty', async () => {
    await using at = await gitScene();
    await expect(at.open(where).pull('main', signal)).rejects.toMatchObject({ code: 'RevisionNotFound', message: expect.stringMatching(where === 'remote' ? /is an empty repository/ : /has no revision main/) as string });
  });

  test('a repository with SHA-256 ids is said to be one', async () => {
    await using at = await gitScene();
    const { gitDir } = at.repository;
    await at.repository.git('init', '--quiet', '--bare', '--object-format=sha256', '--initial-branch=main', join(gitDir, '../modern.git'));
    const tree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
    expect(tree).toHaveLength(40);
    const url = where === 'remote' ? at.server.url('modern') : `file://${join(gitDir, '../modern.git')}`;
    const source = openRepository(parseRepositoryUrl(url), { folder: at.folder });
    try {
      await expect(source.pull('main', signal)).rejects.toMatchObject({ code: 'RepositoryInvalid', message: expect.stringContaining('SHA-256') as string });
    } finally {
      await source.close();
    }
  });
});

test('a reference that has not moved costs a listing of one request pair, and no fetch', async () => {
  await using at = await gitScene();
  await at.repository.commit({ 'a.yaml': '1' });
  await at.repository.git('tag', 'v1');
  const source = at.open();
  for (const revision of ['main', 'v1']) {
    using first = await source.pull(revision, signal);
    const before = at.server.requests.length;
    using second = await source.pull(revision, signal);
    expect(second.commit).toBe(first.commit);
    const later = at.server.requests.slice(before);
    expect(later.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)).toEqual(['GET refs?service=git-upload-pack', 'POST git-upload-pack']);
    expect(later.reduce((sum, { sent }) => sum + sent, 0)).toBeLessThan(1000);
  }
});

test('a commit that is here is pulled without a word to the server', async () => {
  await using at = await gitScene();
  const commit = await at.repository.commit({ 'a.yaml': '1' });
  const source = at.open();
  using first = await source.pull(commit, signal);
  const before = at.server.requests.length;
  using second = await source.pull(commit.toUpperCase(), signal);
  expect([first.commit, second.commit]).toEqual([commit, commit]);
  expect(await source.resolve(commit, signal)).toBe(commit);
  expect(at.server.requests).toHaveLength(before);
  expect(at.events).toEqual(['first']);
});

test('a commit of one file costs less than 20 KB on top of ten thousand', async () => {
  await using at = await gitScene();
  const files = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`apps/${index % 50}/${index}.yaml`, `name: ${index}\nvalue: ${Math.sin(index)}\n`]));
  await at.repository.commit(files);
  const source = at.open();
  using first = await source.pull('main', signal);
  await at.repository.commit({ 'apps/7/7.yaml': 'changed' });
  const before = at.server.requests.length;
  using second = await source.pull('main', signal);
  const bytes = at.server.requests.slice(before).reduce((sum, { sent }) => sum + sent, 0);
  expect(bytes).toBeLessThan(20_000);
  expect(at.events).toEqual(['listed', 'first', 'listed', 'incremental']);
  expect(Buffer.from(await second.tree.read('apps/7/7.yaml')).toString()).toBe('changed');
  expect(await first.tree.idOf('apps/8')).toBe(await second.tree.idOf('apps/8'));
  expect(await first.tree.idOf('apps/7')).not.toBe(await second.tree.idOf('apps/7'));
});

test('eight pulls at once are one listing and one fetch, and each has its own snapshot', async () => {
  await using at = await gitScene();
  const commit = await at.repository.commit({ 'a.yaml': '1' });
  const source = at.open();
  const snapshots = await Promise.all(Array.from({ length: 8 }, () => source.pull('main', signal)));
  expect(new Set(snapshots).size).toBe(8);
  expect(snapshots.map((snapshot) => snapshot.commit)).toEqual(Array(8).fill(commit));
  expect(at.events).toEqual(['listed', 'first']);
  for (const snapshot of snapshots) {
    expect(await textsOf(snapshot.tree)).toEqual({ 'a.yaml': '1' });
    snapshot[Symbol.dispose]();
  }
});

test('one of several who pull together may give up', async () => {
  await using at = await gitScene();
  const commit = await at.repository.commit({ 'a.yaml': '1' });
  const source = at.open();
  const abort = new AbortController();
  const stays = source.pull('main', signal);
  const leaves = source.pull('main', abort.signal);
  abort.abort(new Error('enough'));
  await expect(leaves).rejects.toThrow('enough');
  using snapshot = await stays;
  expect(snapshot.commit).toBe(commit);
});

test('a force-push is followed', async () => {
  await using at = await gitScene();
  await at.repository.commit({ 'a.yaml': '1' });
  const second = await at.repository.commit({ 'a.yaml': '2' });
  const source = at.open();
  using before = await source.pull('main', signal);
  expect(before.commit).toBe(second);
  const rewritten = await at.repository.git('commit-tree', 'main~1^{tree}', '-m', 'other');
  await at.repository.git('update-ref', 'refs/heads/main', rewritten);
  using after = await source.pull('main', signal);
  expect(after.commit).toBe(rewritten);
  expect(await textsOf(after.tree)).toEqual({ 'a.yaml': '1' });
  expect(await textsOf(before.tree)).toEqual({ 'a.yaml': '2' });
});

test('a tag that was moved is followed', async () => {
  await using at = await gitScene();
  await at.repository.commit({ 'a.yaml': '1' });
  await at.repository.git('tag', '-a', 'stable', '-m', 'one');
  const source = at.open();
  using before = await source.pull('stable', signal);
  const second = await at.repository.commit({ 'a.yaml': '2' });
  await at.repository.git('tag', '-f', '-a', 'stable', '-m', 'two');
  using after = await source.pull('stable', signal);
  expect(after.commit).toBe(second);
  expect(await textsOf(after.tree)).toEqual({ 'a.yaml': '2' });
  expect(await textsOf(before.tree)).toEqual({ 'a.yaml': '1' });
});

describe('a private repository', () => {
  const right = { username: 'me', password: 'canary-4711' };

  test('is read with the right credentials', async () => {
    await using at = await gitScene(right);
    const commit = await at.repository.commit({ 'a.yaml': '1' });
    using snapshot = await at.open().pull('main', signal);
    expect(snapshot.commit).toBe(commit);
  });

  test.each([['none', {}], ['wrong ones', { username: 'me', password: 'canary-0815' }]])('with %s is refused, and they are in no message', async (_name, credentials) => {
    await using at = await gitScene(right);
    await at.repository.commit({ 'a.yaml': '1' });
    const source = openRepository(parseRepositoryUrl(at.repository.url, credentials), { folder: at.folder });
    const error = await source.pull('main', signal).catch((caught: unknown) => caught as Error);
    await source.close();
    expect(error).toMatchObject({ code: 'RepositoryUnauthorized' });
    expect(JSON.stringify([(error as Error).message, (error as Error).stack])).not.toContain('canary');
  });

  test('is located for each pull: credentials that were changed are used', async () => {
    await using at = await gitScene(right);
    await at.repository.commit({ 'a.yaml': '1' });
    const given = [{ ...right, password: 'old' }, right];
    const source = openRepository({ url: at.repository.url, locate: () => Promise.resolve(parseRepositoryUrl(at.repository.url, given.shift() ?? right)) }, { folder: at.folder });
    // The first is for finding out that it is on a server.
    await expect(source.pull('main', signal)).resolves.toMatchObject({ commit: expect.any(String) as string });
    await source.close();
  });
});

describe('a local repository', () => {
  test('whose objects are packed is read too', async () => {
    await using at = await gitScene();
    const commit = await at.repository.commit({ 'a.yaml': '1', 'b.yaml': '2' });
    const source = at.open('local');
    using loose = await source.pull('main', signal);
    expect(await textsOf(loose.tree)).toEqual({ 'a.yaml': '1', 'b.yaml': '2' });
    await at.repository.git('gc', '--quiet');
    using packed = await source.pull('main', signal);
    expect(packed.commit).toBe(commit);
    expect(await textsOf(packed.tree)).toEqual({ 'a.yaml': '1', 'b.yaml': '2' });
  });

  test('that was packed anew while it is open is read on', async () => {
    await using at = await gitScene();
    await at.repository.commit({ 'a.yaml': '1' });
    await at.repository.git('repack', '-adq');
    const source = at.open('local');
    using before = await source.pull('main', signal);
    await at.repository.commit({ 'a.yaml': '2' });
    await at.repository.git('repack', '-adq');
    using after = await source.pull('main', signal);
    expect(await textsOf(before.tree)).toEqual({ 'a.yaml': '1' });
    expect(await textsOf(after.tree)).toEqual({ 'a.yaml': '2' });
  });

  test('with a work tree is read at its commit, not as it lies there', async () => {
    await using at = await gitScene();
    const commit = await at.repository.commit({ 'a.yaml': '1' });
    const workTree = join(at.repository.gitDir, '../work-tree');
    await at.repository.git('clone', '--quiet', at.repository.gitDir, workTree);
    await writeFile(join(workTree, 'a.yaml'), 'not committed');
    const source = openRepository(parseRepositoryUrl(workTree), { folder: at.folder });
    using snapshot = await source.pull('main', signal);
    expect(snapshot.commit).toBe(commit);
    expect(await textsOf(snapshot.tree)).toEqual({ 'a.yaml': '1' });
    await source.close();
  });

  test('with a linked work tree has that work tree\'s HEAD and the shared branches', async () => {
    await using at = await gitScene();
    const first = await at.repository.commit({ 'a.yaml': '1' });
    const second = await at.repository.commit({ 'a.yaml': '2' });
    const linked = join(at.repository.gitDir, '../linked');
    await at.repository.git('worktree', 'add', '--quiet', '--detach', linked, first);
    const source = openRepository(parseRepositoryUrl(linked), { folder: at.folder });
    expect(await source.resolve('HEAD', signal)).toBe(first);
    expect(await source.resolve('main', signal)).toBe(second);
    await source.close();
  });

  test('that borrows its objects from another is read', async () => {
    await using at = await gitScene();
    await at.repository.commit({ 'a.yaml': '1' });
    const borrower = join(at.repository.gitDir, '../borrower.git');
    await at.repository.git('clone', '--quiet', '--bare', '--shared', at.repository.gitDir, borrower);
    const source = openRepository(parseRepositoryUrl(borrower), { folder: at.folder });
    using snapshot = await source.pull('main', signal);
    expect(await textsOf(snapshot.tree)).toEqual({ 'a.yaml': '1' });
    await source.close();
  });
});

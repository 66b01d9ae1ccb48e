import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGitSource, parseRepositoryUrl, type GitSource } from '../../src/git/index.ts';
import type { Repository } from '../support/git-repository.ts';
import { startGitServer, type GitServer } from '../support/git-server.ts';
import { tempFolder } from '../support/temp-folder.ts';

const signal = new AbortController().signal;
const everything = (): boolean => true;

interface Scene extends AsyncDisposable {
  readonly server: GitServer;
  readonly repository: Repository;
  readonly cache: string;
  readonly remote: GitSource;
  /** The same repository, opened where it lies. */
  readonly local: GitSource;
}

async function scene(credentials?: { username: string; password: string }): Promise<Scene> {
  const parts = new AsyncDisposableStack();
  const server = parts.use(await startGitServer(credentials));
  const folder = parts.use(await tempFolder());
  const repository = await server.createRepository('fleet');
  const source = (url: string): GitSource =>
    createGitSource({ repository: parseRepositoryUrl(url, credentials), cacheFolder: folder.path });
  return {
    server,
    repository,
    cache: folder.path,
    remote: source(repository.url),
    get local() {
      return source(`file://${repository.gitDir}`);
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

async function contents(source: GitSource, commit: string, path = ''): Promise<Record<string, string>> {
  const { files } = await source.files(commit, path, everything);
  return Object.fromEntries(files.map((file) => [file.path, Buffer.from(file.content).toString()]));
}

describe.each(['remote', 'local'] as const)('a %s repository', (where) => {
  test('a branch, a lightweight tag, an annotated tag, a full name and a commit id lead to their commits', async () => {
    await using at = await scene();
    const first = await at.repository.commit({ 'a.yaml': '1' });
    await at.repository.git('tag', 'light', first);
    await at.repository.git('tag', '-a', 'heavy', '-m', 'x', first);
    const second = await at.repository.commit({ 'a.yaml': '2' });
    const source = at[where];
    expect(await source.pull('main', signal)).toBe(second);
    expect(await contents(source, second)).toEqual({ 'a.yaml': '2' });
    for (const revision of ['light', 'heavy', 'refs/tags/heavy', first]) {
      expect(await source.pull(revision, signal)).toBe(first);
      expect(await contents(source, first)).toEqual({ 'a.yaml': '1' });
    }
    expect(await source.pull('refs/heads/main', signal)).toBe(second);
    expect(await source.pull('HEAD', signal)).toBe(second);
  });

  test('files are those of git ls-tree, byte for byte', async () => {
    await using at = await scene();
    const files = { 'a.yaml': 'top', 'web/b.yaml': 'ü\r\n', 'web/deep/c.json': '{}', 'other/d.yaml': 'x' };
    const commit = await at.repository.commit(files);
    await at[where].pull('main', signal);
    expect(await contents(at[where], commit)).toEqual(files);
    const listed = (await at.repository.git('ls-tree', '-r', '--name-only', commit, 'web')).trim().split('\n');
    expect(Object.keys(await contents(at[where], commit, 'web'))).toEqual(listed);
    expect(await contents(at[where], commit, 'web/b.yaml')).toEqual({ 'web/b.yaml': 'ü\r\n' });
  });

  test.each(['nope', 'refs/heads/nope', 'f'.repeat(40)])('revision %s is not found by that name', async (revision) => {
    await using at = await scene();
    await at.repository.commit({ 'a.yaml': '1' });
    await expect(at[where].pull(revision, signal)).rejects.toMatchObject({ code: 'RevisionNotFound' });
  });

  test('a path that is not there is named', async () => {
    await using at = await scene();
    const commit = await at.repository.commit({ 'a.yaml': '1' });
    await at[where].pull('main', signal);
    for (const path of ['nope', 'a.yaml/b', 'web']) {
      await expect(at[where].files(commit, path, everything)).rejects.toMatchObject({ code: 'PathNotFound', message: expect.stringContaining(path) as string });
    }
  });
});

test('a force-push is followed', async () => {
  await using at = await scene();
  await at.repository.commit({ 'a.yaml': '1' });
  const second = await at.repository.commit({ 'a.yaml': '2' });
  expect(await at.remote.pull('main', signal)).toBe(second);
  const rewritten = (await at.repository.git('commit-tree', 'main~1^{tree}', '-m', 'other')).trim();
  await at.repository.git('update-ref', 'refs/heads/main', rewritten);
  expect(await at.remote.pull('main', signal)).toBe(rewritten);
  expect(await contents(at.remote, rewritten)).toEqual({ 'a.yaml': '1' });
});

test('a reference that has not moved costs a listing and no fetch', async () => {
  await using at = await scene();
  await at.repository.commit({ 'a.yaml': '1' });
  await at.remote.pull('main', signal);
  const before = at.server.requests.length;
  await at.remote.pull('main', signal);
  const later = at.server.requests.slice(before).map(({ method, path }) => `${method} ${path.split('/').at(-1)}`);
  expect(later.length).toBeGreaterThan(0);
  expect(later.length).toBeLessThanOrEqual(2);
});

test('what is not a plain file is said, not guessed', async () => {
  await using at = await scene();
  await at.repository.commit({ 'web/a.yaml': '1', 'web/big.yaml': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n' });
  await at.repository.git('read-tree', 'main');
  const target = (await at.repository.git('rev-parse', 'main:web/a.yaml')).trim();
  await at.repository.git('update-index', '--add', '--cacheinfo', `120000,${target},web/link.yaml`);
  await at.repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},web/module`);
  const odd = (await at.repository.git('commit-tree', (await at.repository.git('write-tree')).trim(), '-m', 'odd')).trim();
  await at.repository.git('update-ref', 'refs/heads/main', odd);
  const commit = await at.remote.pull('main', signal);
  const { files, findings } = await at.remote.files(commit, 'web', (path) => path.endsWith('.yaml'));
  expect(files.map(({ path }) => path)).toEqual(['web/a.yaml']);
  expect(findings).toMatchObject([
    { severity: 'error', origin: 'web/big.yaml' },
    { severity: 'warning', origin: 'web/link.yaml' },
    { severity: 'warning', origin: 'web/module' },
  ]);
});

describe('a private repository', () => {
  const right = { username: 'me', password: 'canary-4711' };

  test('is read with the right credentials', async () => {
    await using at = await scene(right);
    const commit = await at.repository.commit({ 'a.yaml': '1' });
    expect(await at.remote.pull('main', signal)).toBe(commit);
  });

  test.each([['none', undefined], ['wrong ones', { username: 'me', password: 'canary-0815' }]])('with %s is refused, and they are in no message', async (_name, credentials) => {
    await using at = await scene(right);
    await at.repository.commit({ 'a.yaml': '1' });
    const source = createGitSource({ repository: parseRepositoryUrl(at.repository.url, credentials), cacheFolder: at.cache });
    const error = await source.pull('main', signal).catch((caught: unknown) => caught as Error & { code: string });
    expect(error).toMatchObject({ code: 'RepositoryUnauthorized' });
    expect((error as Error).message).not.toContain('canary');
  });
});

describe('a server in trouble', () => {
  test('cut in the middle of a pack: an error, nothing half stored, and the next time it works', async () => {
    await using at = await scene();
    const commit = await at.repository.commit({ 'a.yaml': randomBytes(50_000).toString('hex') });
    at.server.failNext({ type: 'cut', afterBytes: 2000 });
    await expect(at.remote.pull('main', signal)).rejects.toMatchObject({ code: expect.stringMatching(/^Repository/) as string });
    const [folder = ''] = await readdir(at.cache);
    expect(await readdir(join(at.cache, folder))).toEqual([]);
    expect(await at.remote.pull('main', signal)).toBe(commit);
  });

  test('a server that answers with a page is no repository', async () => {
    await using at = await scene();
    at.server.failNext({ type: 'status', status: 200 });
    await expect(at.remote.pull('main', signal)).rejects.toMatchObject({ code: 'RepositoryInvalid' });
  });

  test('a server error is passed on by its number', async () => {
    await using at = await scene();
    at.server.failNext({ type: 'status', status: 503 });
    await expect(at.remote.pull('main', signal)).rejects.toMatchObject({ code: 'RepositoryUnreachable', message: expect.stringContaining('503') as string });
  });

  test('an abort ends the wait', async () => {
    await using at = await scene();
    at.server.failNext({ type: 'hang' });
    const abort = new AbortController();
    const pull = at.remote.pull('main', abort.signal);
    setImmediate(() => abort.abort());
    await expect(pull).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('a local repository whose objects are packed is read too', async () => {
  await using at = await scene();
  const commit = await at.repository.commit({ 'a.yaml': '1', 'b.yaml': '2' });
  await at.repository.git('gc', '--quiet');
  expect(await at.local.pull('main', signal)).toBe(commit);
  expect(await contents(at.local, commit)).toEqual({ 'a.yaml': '1', 'b.yaml': '2' });
});

test('a work tree is read at its commit, not as it lies there', async () => {
  await using at = await scene();
  const commit = await at.repository.commit({ 'a.yaml': '1' });
  const workTree = join(at.cache, 'work-tree');
  await at.repository.git('clone', '--quiet', at.repository.gitDir, workTree);
  await writeFile(join(workTree, 'a.yaml'), 'not committed');
  const source = createGitSource({ repository: parseRepositoryUrl(workTree, undefined), cacheFolder: at.cache });
  expect(await source.pull('main', signal)).toBe(commit);
  expect(await contents(source, commit)).toEqual({ 'a.yaml': '1' });
});

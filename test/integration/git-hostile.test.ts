import { describe, expect, test } from 'vitest';
import { objectWriter } from '../support/git-objects.ts';
import { gitScene, type GitScene } from '../support/git-scene.ts';

const { signal } = new AbortController();

type Write = ReturnType<typeof objectWriter>;

/** A commit that no honest git would make, published as `main`. */
async function publish(at: GitScene, root: (write: Write) => Promise<string>): Promise<string> {
  const write = objectWriter(at.repository.gitDir);
  const commit = await write.commit(await root(write));
  await at.repository.git('update-ref', 'refs/heads/main', commit);
  return commit;
}

const file = '100644';
const folder = '40000';

describe.each(['remote', 'local'] as const)('a hostile tree in a %s repository', (where) => {
  test.each(['..', '.', '.git', '.GIT', '.Git', '.git ', '.git.', '.git...', 'git~1', 'GIT~1', '.git::$INDEX_ALLOCATION', '.g\u200cit', '.git\u200d', 'a/../../b', '../x', '/etc', 'a/b', '..\\x', 'a\\..\\..\\b', '.git\\config'])(
    'the name %j is refused, and folders beside it are not hurt',
    async (name) => {
      await using at = await gitScene();
      await publish(at, async (write) => {
        const blob = await write.blob('x');
        const bad = await write.tree([{ mode: file, name, id: blob }]);
        const badFolder = await write.tree([{ mode: folder, name, id: await write.tree([{ mode: file, name: 'config', id: blob }]) }]);
        const good = await write.tree([{ mode: file, name: 'a.yaml', id: blob }]);
        return write.tree([
          { mode: folder, name: 'bad', id: bad },
          { mode: folder, name: 'bad-folder', id: badFolder },
          { mode: folder, name: 'good', id: good },
        ]);
      });
      const source = at.open(where);
      using snapshot = await source.pull('main', signal);
      for (const path of ['bad', 'bad-folder']) await expect(snapshot.tree.list(path)).rejects.toMatchObject({ code: 'PathInvalid', message: expect.stringContaining(path) as string });
      await expect(snapshot.tree.read('bad/x')).rejects.toMatchObject({ code: 'PathInvalid' });
      expect(Buffer.from(await snapshot.tree.read('good/a.yaml')).toString()).toBe('x');
    },
  );

  test('a name that is there twice is refused', async () => {
    await using at = await gitScene();
    await publish(at, async (write) => {
      const blob = await write.blob('x');
      const inner = await write.tree([]);
      return write.tree([
        { mode: file, name: 'same', id: blob },
        { mode: file, name: 'same.x', id: blob },
        { mode: folder, name: 'same', id: inner },
      ]);
    });
    using snapshot = await at.open(where).pull('main', signal);
    await expect(snapshot.tree.list('')).rejects.toMatchObject({ code: 'PathInvalid', message: expect.stringContaining('twice') as string });
  });

  test('a submodule is named as one and not read', async () => {
    await using at = await gitScene();
    await publish(at, async (write) =>
      write.tree([
        { mode: '120000', name: 'link', id: await write.blob('module/inner') },
        { mode: '160000', name: 'module', id: '1'.repeat(40) },
      ]),
    );
    using snapshot = await at.open(where).pull('main', signal);
    expect(await snapshot.tree.list('')).toEqual([
      { name: 'link', type: 'link' },
      { name: 'module', type: 'submodule' },
    ]);
    expect(await snapshot.tree.typeOf('module')).toBe('submodule');
    expect(await snapshot.tree.idOf('module')).toBe('1'.repeat(40));
    for (const path of ['module', 'module/inner', 'link']) {
      await expect(snapshot.tree.read(path)).rejects.toMatchObject({ code: 'PathInvalid', message: expect.stringContaining('submodule') as string });
      await expect(snapshot.tree.list(path)).rejects.toMatchObject({ code: 'PathInvalid' });
    }
  });

  test('a name that is no UTF-8 hurts nobody', async () => {
    await using at = await gitScene();
    await publish(at, async (write) =>
      write.tree([
        { mode: file, name: 'a.yaml', id: await write.blob('a') },
        { mode: file, name: Buffer.from('caf\xe9.yaml', 'latin1'), id: await write.blob('latin') },
      ]),
    );
    using snapshot = await at.open(where).pull('main', signal);
    expect(Buffer.from(await snapshot.tree.read('a.yaml')).toString()).toBe('a');
    expect(await snapshot.tree.list('')).toHaveLength(2);
  });

  test('a tag of a file is no commit', async () => {
    await using at = await gitScene();
    await at.repository.commit({ 'a.yaml': '1' });
    const blob = await at.repository.git('rev-parse', 'main:a.yaml');
    await at.repository.git('tag', 'blob', blob);
    await expect(at.open(where).pull('blob', signal)).rejects.toMatchObject({ code: 'RepositoryInvalid', message: expect.stringContaining('blob') as string });
  });

  test('a file that decompresses to far more than it says is refused before it does', async () => {
    await using at = await gitScene();
    await publish(at, async (write) => write.tree([{ mode: file, name: 'bomb.yaml', id: await write.blob('a'.repeat(50 * 2 ** 20)) }]));
    using snapshot = await at.open(where).pull('main', signal);
    const before = process.memoryUsage().arrayBuffers;
    await expect(snapshot.tree.read('bomb.yaml')).rejects.toMatchObject({ code: 'SourceTooLarge', message: expect.stringContaining(String(50 * 2 ** 20)) as string });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 2 ** 20);
  });

  test('the limit for a file can be raised', async () => {
    await using at = await gitScene();
    await at.repository.commit({ 'big.yaml': 'a'.repeat(5 * 2 ** 20) });
    using small = await at.open(where).pull('main', signal);
    await expect(small.tree.read('big.yaml')).rejects.toMatchObject({ code: 'SourceTooLarge' });
    using large = await at.open(where, { limits: { fileBytes: 6 * 2 ** 20 } }).pull('main', signal);
    expect((await large.tree.read('big.yaml')).length).toBe(5 * 2 ** 20);
  });
});

describe('a tree that git itself does not send', () => {
  async function withEmptyName(at: GitScene): Promise<void> {
    await publish(at, async (write) => write.tree([{ mode: folder, name: 'bad', id: await write.tree([{ mode: file, name: '', id: await write.blob('x') }]) }]));
  }

  async function withWrongKinds(at: GitScene): Promise<void> {
    await publish(at, async (write) => {
      const blob = await write.blob('x');
      const tree = await write.tree([{ mode: file, name: 'a', id: blob }]);
      return write.tree([
        { mode: file, name: 'a-file', id: tree },
        { mode: folder, name: 'a-folder', id: blob },
      ]);
    });
  }

  test.each([['an empty name', withEmptyName], ['files and folders taken for each other', withWrongKinds]])('%s: the pull is refused', async (_name, make) => {
    await using at = await gitScene();
    await make(at);
    await expect(at.open('remote').pull('main', signal)).rejects.toMatchObject({ code: expect.stringMatching(/^Repository/) as string });
  });

  test('an empty name in a local repository is refused', async () => {
    await using at = await gitScene();
    await withEmptyName(at);
    using snapshot = await at.open('local').pull('main', signal);
    await expect(snapshot.tree.list('bad')).rejects.toMatchObject({ code: 'PathInvalid' });
  });

  test('a tree where a file must be, and a file where a tree must be, are invalid in a local repository', async () => {
    await using at = await gitScene();
    await withWrongKinds(at);
    using snapshot = await at.open('local').pull('main', signal);
    await expect(snapshot.tree.read('a-file')).rejects.toMatchObject({ code: 'RepositoryInvalid' });
    await expect(snapshot.tree.list('a-folder')).rejects.toMatchObject({ code: 'RepositoryInvalid' });
  });
});

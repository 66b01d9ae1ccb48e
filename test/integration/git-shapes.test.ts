import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SourceTree } from '../../src/model/index.ts';
import { git } from '../support/git-command.ts';
import { catFiles, listTree } from '../support/git-objects.ts';
import { gitScene } from '../support/git-scene.ts';

const { signal } = new AbortController();

/** Fills a work tree and publishes what it commits; the bare repository may be rearranged afterwards. */
interface Shape {
  readonly name: string;
  fill(work: { readonly folder: string; put(path: string, content: string | Uint8Array): Promise<void>; commit(): Promise<unknown> }): Promise<void>;
  arrange?(run: (...args: string[]) => Promise<unknown>): Promise<unknown>;
}

const shapes: readonly Shape[] = [
  {
    name: 'a folder of thousands',
    async fill({ put, commit }) {
      for (let index = 0; index < 4000; index += 1) await put(`wide/${index.toString(36)}.yaml`, `n: ${index}\n`);
      await commit();
    },
    arrange: (run) => run('repack', '-adq'),
  },
  {
    name: 'folders in folders, a hundred deep',
    async fill({ put, commit }) {
      const path = Array.from({ length: 100 }, (_, index) => `d${index}`);
      for (let depth = 1; depth <= 100; depth += 9) await put(`${path.slice(0, depth).join('/')}/f.yaml`, `depth: ${depth}\n`);
      await commit();
    },
  },
  {
    name: 'long chains of deltas',
    async fill({ put, commit }) {
      const lines = Array.from({ length: 400 }, (_, index) => `key-${index}: ${randomBytes(12).toString('hex')}`);
      for (let round = 0; round < 60; round += 1) {
        lines[(round * 7) % 400] = `changed-${round}: ${randomBytes(12).toString('hex')}`;
        for (let copy = 0; copy < 4; copy += 1) await put(`copy-${copy}/big-${round % 30}.yaml`, [...lines.slice(copy), `round: ${round}`].join('\n'));
        if (round % 10 === 9) await commit();
      }
    },
    arrange: (run) => run('repack', '-adfq', '--depth=250', '--window=250'),
  },
  {
    name: 'names and modes of all kinds, and links',
    async fill({ folder, put, commit }) {
      for (const name of ['ünï cödé', '日本語.yaml', 'a b', 'a\tb', 'quote"', '-x', '.hidden', 'emoji-😀', 'a', 'a.b/c', 'a-b/c', 'a0/c', 'UPPER', 'upper']) await put(`odd/${name}`, name);
      await put('run.sh', '#!/bin/sh\n');
      await chmod(join(folder, 'run.sh'), 0o755);
      await symlink('run.sh', join(folder, 'link'));
      await symlink('odd', join(folder, 'folder-link'));
      await commit();
    },
  },
  {
    name: 'large and binary files',
    async fill({ put, commit }) {
      await put('random.bin', randomBytes(3_000_000));
      await put('zeros.bin', new Uint8Array(4_000_000));
      await put('empty', '');
      await put('lines.txt', 'the same line again\n'.repeat(100_000));
      await commit();
      await put('lines.txt', `${'the same line again\n'.repeat(100_000)}and one more\n`);
      await commit();
    },
    arrange: (run) => run('repack', '-adfq'),
  },
  {
    name: 'loose objects, several packs and tags',
    async fill({ put, commit, folder }) {
      for (let round = 0; round < 4; round += 1) {
        for (let file = 0; file < 30; file += 1) await put(`r${round}/f${file}`, `round ${round} file ${file}\n`.repeat(20));
        await commit();
        if (round < 3) await git(['-C', join(folder, '.git'), 'repack', '-dq'], { cwd: folder });
        await git(['tag', '-a', `v${round}`, '-m', 'x'], { cwd: folder });
      }
    },
  },
];

describe.each(shapes)('$name', ({ fill, arrange }) => {
  test('local and remote are what git ls-tree and git cat-file say', async () => {
    await using at = await gitScene();
    const { gitDir } = at.repository;
    const folder = join(gitDir, '../work');
    await mkdir(folder);
    await git(['init', '--quiet', '--initial-branch=main'], { cwd: folder });
    await fill({
      folder,
      async put(path, content) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), content);
      },
      async commit() {
        await git(['add', '--all'], { cwd: folder });
        await git(['commit', '--quiet', '--message', 'more'], { cwd: folder });
      },
    });
    await git(['push', '--quiet', '--tags', gitDir, 'main'], { cwd: folder });
    await arrange?.(at.repository.git);
    const commit = await at.repository.git('rev-parse', 'main');
    const listed = await listTree(gitDir, commit);
    const contents = await catFiles(gitDir, listed.map(({ id }) => id));
    for (const where of ['local', 'remote'] as const) {
      using snapshot = await at.open(where).pull('main', signal);
      expect(snapshot.commit).toBe(commit);
      const walked = await walk(snapshot.tree);
      expect(walked.map(({ path, type }) => ({ path, type })).toSorted(byPath)).toEqual(listed.map(({ path, mode }) => ({ path, type: mode === '120000' ? 'link' : 'file' })).toSorted(byPath));
      for (const { path, mode, id } of listed) {
        if (mode === '120000') continue;
        expect(await snapshot.tree.idOf(path)).toBe(id);
        // Compared here, not by the matcher, which would print megabytes.
        expect(Buffer.from(await snapshot.tree.read(path)).equals(contents.get(id) ?? Buffer.from('missing'))).toBe(true);
      }
    }
  });
});

async function walk(tree: SourceTree, folder = ''): Promise<readonly { readonly path: string; readonly type: string }[]> {
  const found: { path: string; type: string }[] = [];
  for (const { name, type } of await tree.list(folder)) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (type === 'folder') found.push(...(await walk(tree, path)));
    else found.push({ path, type });
  }
  return found;
}

function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : 1;
}

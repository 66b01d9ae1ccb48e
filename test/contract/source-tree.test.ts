import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openRepository, parseRepositoryUrl } from '../../src/git/index.ts';
import { git } from '../support/git-command.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { sourceTreeContract, type MakeTree } from './source-tree.ts';

/** A commit of these files; `finish` may pack it. */
function commitOf(finish: (folder: string) => Promise<unknown>): MakeTree {
  return async (files, links) => {
    const folder = await tempFolder();
    const cwd = join(folder.path, 'repo');
    await mkdir(cwd);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(cwd, path)), { recursive: true });
      await writeFile(join(cwd, path), content);
    }
    for (const [path, target] of Object.entries(links)) {
      await mkdir(dirname(join(cwd, path)), { recursive: true });
      await symlink(target, join(cwd, path));
    }
    await git(['init', '--quiet', '--initial-branch=main'], { cwd });
    await git(['add', '--all', '--force'], { cwd });
    await git(['commit', '--quiet', '--message', 'all'], { cwd });
    await finish(cwd);
    const repository = openRepository(parseRepositoryUrl(cwd), { folder: join(folder.path, 'cache') });
    const snapshot = await repository.pull('main', new AbortController().signal);
    return {
      tree: snapshot.tree,
      async [Symbol.asyncDispose]() {
        snapshot[Symbol.dispose]();
        await repository.close();
        await folder.remove();
      },
    };
  };
}

sourceTreeContract('a commit of loose objects', commitOf(() => Promise.resolve()));
sourceTreeContract('a commit in a pack', commitOf((cwd) => git(['gc', '--quiet', '--aggressive'], { cwd })));

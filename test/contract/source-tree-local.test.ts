import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openLocalTree } from '../../src/render/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { sourceTreeContract } from './source-tree.ts';

sourceTreeContract('a folder of this machine', async (files, links) => {
  const folder = await tempFolder();
  const root = join(folder.path, 'repo');
  await mkdir(root);
  const inFolder = async (path: string): Promise<string> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    return join(root, path);
  };
  for (const [path, content] of Object.entries(files)) await writeFile(await inFolder(path), content);
  for (const [path, target] of Object.entries(links)) await symlink(target, await inFolder(path));
  return { tree: await openLocalTree({ root }), [Symbol.asyncDispose]: folder.remove };
});

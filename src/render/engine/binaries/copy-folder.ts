import { SetpointError, type SourceTree } from '../../../model/index.ts';
import type { WorkFolder } from './work-folder.ts';

/** A link to a folder above itself makes a tree without end; no chart is this deep. */
const maxDepth = 64;

/** All that is in a folder, links as what they lead to. The tree says what is wrong with a submodule. */
export async function copyFolder(folder: string, tree: SourceTree, target: { readonly work: WorkFolder; readonly signal: AbortSignal }): Promise<void> {
  await copy(folder, 0);

  async function copy(path: string, depth: number): Promise<void> {
    if (depth > maxDepth) throw new SetpointError('SourceTooLarge', `${folder || '.'}: folders are nested more than ${maxDepth} deep: ${path}`);
    const entries = await tree.list(path);
    await target.work.makeFolder(path);
    for (const { name, type } of entries) {
      target.signal.throwIfAborted();
      const entry = path === '' ? name : `${path}/${name}`;
      const found = type === 'link' ? await tree.typeOf(entry) : type;
      if (found === 'file') await target.work.writeTreeFile(entry, await tree.read(entry));
      else await copy(entry, depth + 1);
    }
  }
}

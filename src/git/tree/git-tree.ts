import { SetpointError, type EntryType, type SourceTree, type TreeEntry } from '../../model/index.ts';
import type { GitObjects } from './git-objects.ts';
import type { GitEntry } from './parse-tree.ts';
import { checkPath } from './path.ts';

interface GitTreeOptions {
  readonly objects: GitObjects;
  readonly commit: string;
  /** The id of the root folder. */
  readonly root: string;
  readonly maxFileBytes: number;
}

type Node = { readonly type: EntryType; readonly id: string };

// What people need, and few enough that a circle ends at once.
const maxLinks = 10;
const maxLinkBytes = 4096;
const lfsPointer = /^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\//;
// By its specification a pointer is smaller than this.
const maxPointerBytes = 1024;

/** The files of one commit. */
export function createGitTree({ objects, commit, root, maxFileBytes }: GitTreeOptions): SourceTree {
  const rootNode: Node = { type: 'folder', id: root };
  const at = (path: string): string => (path === '' ? `the root of commit ${commit.slice(0, 7)}` : `${path} in commit ${commit.slice(0, 7)}`);

  async function find(path: string): Promise<Node | undefined> {
    let links = 0;
    // The folders from the root to where the walk is, and the names still to go. `link` is the link that a name comes from.
    const folders: Node[] = [rootNode];
    const ahead: { readonly name: string; readonly link?: string }[] = checkPath(path).map((name) => ({ name }));
    let node = rootNode;
    for (let step = ahead.shift(); step !== undefined; step = ahead.shift()) {
      const { name, link } = step;
      const gone = (): undefined => {
        if (link !== undefined) throw invalid(`the link ${at(link)} leads to nothing that is there`);
      };
      if (node.type === 'submodule') throw invalid(`${at(path)} is in a submodule, which is not read`);
      if (node.type === 'file') return gone();
      if (name === '..') {
        if (folders.length === 1) throw invalid(`the link ${at(link ?? path)} leads out of the repository`);
        folders.pop();
        node = folders.at(-1) ?? rootNode;
        continue;
      }
      const entry = (await entriesOf(node.id, path)).get(name);
      if (entry === undefined) return gone();
      if (entry.type === 'link') {
        links += 1;
        if (links > maxLinks) throw invalid(`${at(path)} goes through more than ${maxLinks} links, or in a circle`);
        ahead.unshift(...(await stepsOf(entry, path)).map((next) => ({ name: next, link: path })));
        continue;
      }
      node = { type: entry.type, id: entry.id };
      if (entry.type === 'folder') folders.push(node);
      else if (ahead.length === 0) return node;
    }
    return node;
  }

  async function entriesOf(id: string, path: string): Promise<ReadonlyMap<string, GitEntry>> {
    const tree = await objects.tree(id);
    if (tree.type === 'tree') return tree.entries;
    throw invalid(`${at(path)} cannot be read: a folder on the way is no valid Git tree, ${tree.reason}`);
  }

  async function stepsOf({ id }: GitEntry, path: string): Promise<readonly string[]> {
    const blob = await objects.blob(id, maxLinkBytes);
    if (blob.type === 'too large') throw invalid(`the link ${at(path)} has a target of ${blob.size} bytes`);
    const target = blob.content.toString();
    if (target.startsWith('/') || target === '' || target.includes('\0')) throw invalid(`the link ${at(path)} leads out of the repository`);
    return target.split('/').filter((name) => name !== '' && name !== '.');
  }

  return {
    typeOf: async (path) => (await find(path))?.type,
    idOf: async (path) => (await find(path))?.id,
    async list(path): Promise<readonly TreeEntry[]> {
      const node = await find(path);
      if (node?.type === 'submodule') throw invalid(`${at(path)} is a submodule, which is not read`);
      if (node?.type !== 'folder') throw new SetpointError('PathNotFound', `there is no folder ${at(path)}`);
      return [...(await entriesOf(node.id, path)).values()].map(({ name, type }) => ({ name, type }));
    },
    async read(path) {
      const node = await find(path);
      if (node?.type === 'submodule') throw invalid(`${at(path)} is a submodule, which is not read`);
      if (node?.type !== 'file') throw new SetpointError('PathNotFound', `there is no file ${at(path)}`);
      const blob = await objects.blob(node.id, maxFileBytes);
      if (blob.type === 'too large') throw new SetpointError('SourceTooLarge', `${at(path)} has ${blob.size} bytes, and ${maxFileBytes} is the limit for a file`);
      const { content } = blob;
      if (content.length < maxPointerBytes && lfsPointer.test(content.toString('latin1', 0, 64))) {
        throw invalid(`${at(path)} is a Git LFS pointer, and LFS is not fetched: store manifests in Git itself`);
      }
      return content;
    },
  };
}

function invalid(message: string): SetpointError {
  return new SetpointError('PathInvalid', message);
}

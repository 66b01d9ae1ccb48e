import { SetpointError } from '../../model/index.ts';
import { createByteCache } from '../objects/byte-cache.ts';
import { CorruptError } from '../objects/corrupt.ts';
import type { ObjectStore, ReadOutcome } from '../objects/object-store.ts';
import type { ObjectKind } from '../objects/pack-file.ts';
import { createPacer } from '../objects/pacer.ts';
import { parseTree, type ParsedTree } from './parse-tree.ts';

type Blob = { readonly type: 'blob'; readonly content: Buffer } | { readonly type: 'too large'; readonly size: number };

/** Objects of one kind each, for one repository. Whatever is missing or broken is `RepositoryInvalid`. */
export interface GitObjects {
  tree(id: string): Promise<ParsedTree>;
  blob(id: string, maxBytes: number): Promise<Blob>;
  /** The commit that an id stands for, tags followed, and the id of its root folder; undefined where nothing is. */
  commit(id: string): Promise<{ readonly commit: string; readonly root: string } | undefined>;
}

interface GitObjectsOptions {
  readonly url: string;
  readonly store: ObjectStore;
  /** Told once per broken or missing object: what is on the disk is not whole. */
  onBroken?(): void;
}

const maxTreeBytes = 16 * 2 ** 20;
const maxCommitBytes = 2 ** 20;
const maxTags = 10;
const treeCacheBytes = 32 * 2 ** 20;
// A parsed folder takes about so many times the bytes of its object.
const parsedFactor = 6;

export function createGitObjects({ url, store, onBroken = () => undefined }: GitObjectsOptions): GitObjects {
  const pacer = createPacer();
  const trees = createByteCache<ParsedTree>(treeCacheBytes);

  function broken(what: string, cause?: unknown): SetpointError {
    onBroken();
    return new SetpointError('RepositoryInvalid', `the copy of ${url} is broken: ${what}`, { cause });
  }

  async function read(id: string, maxBytes: number): Promise<ReadOutcome> {
    try {
      return await store.read(id, maxBytes);
    } catch (error) {
      if (error instanceof CorruptError) throw broken(error.message, error);
      throw new SetpointError('RepositoryInvalid', `the copy of ${url} cannot be read: ${(error as Error).message}`, { cause: error });
    }
  }

  async function readKind(id: string, kind: ObjectKind, maxBytes: number): Promise<Exclude<ReadOutcome, { type: 'missing' }>> {
    const found = await read(id, maxBytes);
    if (found.type === 'missing') throw broken(`object ${id} is not there`);
    if (found.type === 'object' && found.kind !== kind) throw new SetpointError('RepositoryInvalid', `${url} has a ${found.kind} ${id} where a ${kind} must be`);
    return found;
  }

  return {
    async tree(id) {
      const known = trees.get(id);
      if (known !== undefined) return known;
      const found = await readKind(id, 'tree', maxTreeBytes);
      const tree: ParsedTree = found.type === 'object' ? await parseTree(found.content, pacer) : { type: 'invalid', reason: `it has ${found.size} bytes, and ${maxTreeBytes} is the limit` };
      trees.set(id, tree, parsedFactor * (found.type === 'object' ? found.content.length : 0));
      return tree;
    },
    async blob(id, maxBytes) {
      const found = await readKind(id, 'blob', maxBytes);
      return found.type === 'object' ? { type: 'blob', content: found.content } : found;
    },
    async commit(id) {
      let at = id;
      for (let tags = 0; tags <= maxTags; tags += 1) {
        const found = await read(at, maxCommitBytes);
        if (found.type === 'missing') return undefined;
        if (found.type === 'too large') throw new SetpointError('RepositoryInvalid', `${url} has an object ${at} of ${found.size} bytes where a commit must be`);
        const { kind, content } = found;
        const [, next] = kind === 'commit' || kind === 'tag' ? (/^(?:tree|object) ([0-9a-f]{40})\n/.exec(content.toString('latin1', 0, 64)) ?? []) : [];
        if (next === undefined) throw new SetpointError('RepositoryInvalid', `${url} has a ${kind} ${at} where a commit must be`);
        if (kind === 'commit') return { commit: at, root: next };
        at = next;
      }
      throw new SetpointError('RepositoryInvalid', `${url} has a tag of more than ${maxTags} tags: ${id}`);
    },
  };
}

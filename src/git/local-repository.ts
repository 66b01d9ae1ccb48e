import { SetpointError } from '../model/index.ts';
import type { GitLimits, GitRepository } from './git-repository.ts';
import { findGitFolders, type GitFolders } from './local/git-folders.ts';
import { readReference } from './local/read-reference.ts';
import { createObjectStore, type ObjectStore } from './objects/object-store.ts';
import type { LocalRepository } from './repository-url.ts';
import { checkRevision } from './revision.ts';
import { createGitObjects, type GitObjects } from './tree/git-objects.ts';
import { createGitTree } from './tree/git-tree.ts';

interface Opened {
  readonly folders: GitFolders;
  readonly store: ObjectStore;
  readonly objects: GitObjects;
}

/** A repository on this machine, read where it lies. */
export function createLocalRepository({ url, gitDir }: LocalRepository, limits: GitLimits): GitRepository {
  let opening: Promise<Opened> | undefined;

  async function open(): Promise<Opened> {
    const folders = await findGitFolders(gitDir, url);
    const store = createObjectStore(folders.objects);
    return { folders, store, objects: createGitObjects({ url, store }) };
  }

  function opened(): Promise<Opened> {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      if (error instanceof SetpointError) throw error;
      throw new SetpointError('RepositoryUnreachable', `${url} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`, { cause: error });
    });
    return opening;
  }

  async function find(revision: string, signal: AbortSignal): Promise<{ readonly commit: string; readonly root: string }> {
    signal.throwIfAborted();
    const meant = checkRevision(revision);
    const { folders, objects } = await opened();
    const ids = meant.type === 'commit' ? [meant.oid] : await Promise.all(meant.names.map((name) => readReference(folders, name)));
    const id = ids.find((candidate) => candidate !== undefined);
    const found = id === undefined ? undefined : await objects.commit(id);
    signal.throwIfAborted();
    if (found !== undefined) return found;
    if (id !== undefined && meant.type === 'reference') throw new SetpointError('RepositoryInvalid', `${url} does not have the commit ${id} that its ${revision} stands for`);
    throw new SetpointError('RevisionNotFound', `${url} has no revision ${revision}: check --revision`);
  }

  return {
    url,
    resolve: async (revision, signal) => (await find(revision, signal)).commit,
    async pull(revision, signal) {
      const { commit, root } = await find(revision, signal);
      const { objects } = await opened();
      await objects.tree(root);
      return { commit, tree: createGitTree({ objects, commit, root, maxFileBytes: limits.fileBytes }), [Symbol.dispose]: () => undefined };
    },
    async close() {
      await (await opening?.catch(() => undefined))?.store.close();
    },
  };
}

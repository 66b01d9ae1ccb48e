import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import git from 'isomorphic-git';
import { SetpointError } from '../model/index.ts';
import { gitError } from './git-error.ts';
import { createHttpClient } from './http-client.ts';
import { readTree, type Tree } from './read-tree.ts';
import { findReference, type RemoteReference } from './remote-reference.ts';
import { authOf, type Repository } from './repository-url.ts';

export interface GitSource {
  /** The commit that a branch, a tag, a full reference name or a commit id stands for now; its objects are here afterwards. */
  pull(revision: string, signal: AbortSignal): Promise<string>;
  files(commit: string, path: string, wanted: (path: string) => boolean): Promise<Tree>;
}

interface GitSourceOptions {
  readonly repository: Repository;
  /** A folder of our own; everything in it can be fetched again. */
  readonly cacheFolder: string;
}

export function createGitSource({ repository, cacheFolder }: GitSourceOptions): GitSource {
  if (repository.type === 'local') return createLocalSource(repository);
  return createHttpSource(repository, join(cacheFolder, createHash('sha256').update(repository.url).digest('hex').slice(0, 16)));
}

function createLocalSource(repository: Extract<Repository, { type: 'local' }>): GitSource {
  const at = { fs, gitdir: repository.gitDir };
  return {
    async pull(revision) {
      for (const name of [`refs/heads/${revision}`, `refs/tags/${revision}`, revision]) {
        const oid = await git.resolveRef({ ...at, ref: name }).catch(() => undefined);
        const commit = oid && (await git.readCommit({ ...at, oid }).catch(() => undefined));
        if (commit) return commit.oid;
      }
      throw new SetpointError('RevisionNotFound', `${repository.url} has no revision ${revision}: check --revision`);
    },
    files: (commit, path, wanted) => readTree({ gitDir: repository.gitDir, commit, path, wanted }),
  };
}

/** Each commit is fetched into a folder of its own, which gets its name last: a folder with a commit's name is whole. */
function createHttpSource(repository: Extract<Repository, { type: 'http' }>, folder: string): GitSource {
  return {
    async pull(revision, signal) {
      const http = createHttpClient(signal);
      try {
        const reference = await findReference({ repository, revision, http });
        const present = join(folder, reference.commit);
        return fs.existsSync(present) ? reference.commit : await fetchCommit({ repository, reference, folder, http });
      } catch (error) {
        signal.throwIfAborted();
        throw gitError(error, repository);
      } finally {
        await http.close();
      }
    },
    files: (commit, path, wanted) => readTree({ gitDir: join(folder, commit), commit, path, wanted }),
  };
}

interface FetchRequest {
  readonly repository: Extract<Repository, { type: 'http' }>;
  readonly reference: RemoteReference;
  readonly folder: string;
  readonly http: ReturnType<typeof createHttpClient>;
}

async function fetchCommit({ repository, reference, folder, http }: FetchRequest): Promise<string> {
  await mkdir(folder, { recursive: true });
  const unfinished = await mkdtemp(join(folder, 'unfinished-'));
  try {
    const at = { fs, gitdir: unfinished };
    const { url } = repository;
    await git.init({ ...at, bare: true });
    await git.addRemote({ ...at, remote: 'origin', url });
    const { fetchHead } = await git.fetch({
      ...at,
      http,
      url,
      ref: reference.name,
      remoteRef: reference.name,
      singleBranch: true,
      depth: 1,
      tags: false,
      ...authOf(repository),
    });
    // A commit id that the server does not have comes back as fetched with nothing stored; reading it is the proof.
    const { oid } = await git.readCommit({ ...at, oid: fetchHead ?? reference.commit });
    await rm(join(folder, oid), { recursive: true, force: true });
    await rename(unfinished, join(folder, oid));
    await removeOthers(folder, oid);
    return oid;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function removeOthers(folder: string, keep: string): Promise<void> {
  const others = (await readdir(folder)).filter((name) => name !== keep);
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

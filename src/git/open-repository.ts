import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { usualDeadlines, usualLimits, type GitLimits, type GitObserver, type GitRepository } from './git-repository.ts';
import { createLocalRepository } from './local-repository.ts';
import { createRemoteRepository } from './remote-repository.ts';
import type { RemoteRepository, Repository } from './repository-url.ts';
import { createGitWorker, type Deadlines, type GitWorker } from './worker-client.ts';

/** A repository whose credentials may change: it is located for each question to the server. */
export interface Place {
  readonly url: string;
  locate(): Promise<Repository>;
}

export interface OpenOptions {
  /** Of our own; copies of any number of repositories. Everything in it can be fetched again. */
  readonly folder: string;
  /** Shared by repositories; without one, this repository starts its own. */
  readonly worker?: GitWorker;
  readonly limits?: Partial<GitLimits>;
  readonly timeouts?: Partial<Deadlines>;
  readonly on?: GitObserver;
}

export function openRepository(repository: Repository | Place, options: OpenOptions): GitRepository {
  const limits = { ...usualLimits, ...options.limits };
  if (!('locate' in repository)) {
    return repository.type === 'local' ? createLocalRepository(repository, limits) : openRemote({ url: repository.url, locate: () => Promise.resolve(repository) }, options);
  }
  const { url } = repository;
  let opened: GitRepository | undefined;
  const open = async (): Promise<GitRepository> => {
    const first = opened === undefined ? await repository.locate() : undefined;
    opened ??= first?.type === 'local' ? createLocalRepository(first, limits) : openRemote(repository, options);
    return opened;
  };
  return {
    url,
    resolve: async (revision, signal) => (await open()).resolve(revision, signal),
    pull: async (revision, signal) => (await open()).pull(revision, signal),
    close: async () => opened?.close(),
  };
}

function openRemote({ url, locate }: Place, { folder, worker, limits, timeouts, on = {} }: OpenOptions): GitRepository {
  const used = worker ?? createGitWorker();
  const repository = createRemoteRepository({
    url,
    locate: async () => remote(await locate()),
    folder: join(folder, createHash('sha256').update(url).digest('hex').slice(0, 16)),
    worker: used,
    limits: { ...usualLimits, ...limits },
    deadlines: { ...usualDeadlines, ...timeouts },
    on,
  });
  return {
    ...repository,
    async close() {
      if (worker === undefined) await used.close();
      await repository.close();
    },
  };
}

function remote(repository: Repository): RemoteRepository {
  if (repository.type === 'local') throw new TypeError(`${repository.url} was on a server before`);
  return repository;
}

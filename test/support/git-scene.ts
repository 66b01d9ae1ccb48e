import { join } from 'node:path';
import { createGitWorker, openRepository, parseRepositoryUrl, type GitRepository, type OpenOptions } from '../../src/git/index.ts';
import type { SourceTree } from '../../src/model/index.ts';
import type { Repository } from './git-repository.ts';
import { startGitServer, type GitServer, type GitServerOptions } from './git-server.ts';
import { tempFolder } from './temp-folder.ts';

export interface GitScene extends AsyncDisposable {
  readonly server: GitServer;
  readonly repository: Repository;
  /** Where copies are kept. */
  readonly folder: string;
  /** What was asked of the server, as the observers heard it. */
  readonly events: readonly string[];
  open(where?: 'remote' | 'local', options?: Partial<OpenOptions>): GitRepository;
}

// One for all, as in an agent: a thread takes longer to start than most tests do. It does not keep the process alive.
const worker = createGitWorker();

/** A repository on a server, and repositories opened on it, which are closed with it. */
export async function gitScene(credentials: GitServerOptions = {}): Promise<GitScene> {
  const parts = new AsyncDisposableStack();
  const server = parts.use(await startGitServer(credentials));
  const folder = parts.use(await tempFolder());
  const repository = await server.createRepository('fleet');
  const events: string[] = [];
  const cache = join(folder.path, 'cache');
  return {
    server,
    repository,
    folder: cache,
    events,
    open(where = 'remote', options = {}) {
      const url = where === 'remote' ? repository.url : `file://${repository.gitDir}`;
      const opened = openRepository(parseRepositoryUrl(url, credentials), {
        folder: cache,
        worker,
        on: { listed: () => events.push('listed'), fetched: ({ type }) => events.push(type) },
        ...options,
      });
      parts.defer(() => opened.close());
      return opened;
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** All files below a folder, by their paths, links followed where they lead to files. */
export async function textsOf(tree: SourceTree, folder = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name } of await tree.list(folder)) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if ((await tree.typeOf(path)) === 'folder') Object.assign(found, await textsOf(tree, path));
    else found[path] = Buffer.from(await tree.read(path)).toString();
  }
  return found;
}

// A generated repository on a server in a process of its own, and places for the copies of it.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createGitWorker, openRepository, parseRepositoryUrl, type GitObserver, type GitRepository } from '../../src/git/index.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import type { BenchOptions } from '../bench.ts';
import { startChild } from './child.ts';
import { importHistory, importOne } from './import-commits.ts';
import { fullShape, manifestsOf, pathOf, quickShape, type Shape } from './manifests.ts';
import type { FromServer } from './server-child.ts';
import { runGit } from './timing.ts';

export interface World extends AsyncDisposable {
  readonly shape: Shape;
  readonly url: string;
  /** The bare repository that is served. */
  readonly gitDir: string;
  /** All that the server was asked for and sent so far. */
  asked(): Promise<{ readonly requests: number; readonly bytes: number }>;
  /** A commit that changes one file of one application. */
  commit(): Promise<{ readonly application: number; readonly id: string }>;
  newFolder(name: string): Promise<string>;
  /** A bare repository of the git command line, with nothing in it. */
  newGitCopy(): Promise<string>;
  /** The product's own, with a worker that all share. */
  open(folder: string, on?: GitObserver): GitRepository;
}

export async function openWorld({ quick, say }: BenchOptions): Promise<World> {
  await using undo = new AsyncDisposableStack();
  const shape = quick ? quickShape : fullShape;
  const folder = undo.use(await tempFolder());
  const server = undo.use(await startChild<FromServer>('server-child.ts', []));
  if (server.first.type !== 'started') throw new Error('the server did not start');
  const { url, gitDir } = server.first;
  say(`making a repository of ${shape.applications * shape.files} files in ${shape.commits + 1} commits`);
  await importHistory(gitDir, shape);
  const worker = undo.adopt(createGitWorker(), (started) => started.close());
  let [folders, commits] = [0, 0];

  async function newFolder(name: string): Promise<string> {
    const path = join(folder.path, `${name}-${(folders += 1)}`);
    await mkdir(path);
    return path;
  }
  const ending = undo.move();
  return {
    shape,
    url,
    gitDir,
    newFolder,
    async asked() {
      const answer = await server.ask();
      if (answer.type !== 'asked') throw new Error('the server does not say what it was asked');
      return answer;
    },
    async commit() {
      commits += 1;
      const [application, file] = [(commits * 17) % shape.applications, (commits * 29) % shape.files];
      const number = shape.commits + commits;
      return { application, id: await importOne(gitDir, { path: pathOf(application, file), content: manifestsOf({ application, file, version: 1000 + commits }), number }) };
    },
    async newGitCopy() {
      const copy = await newFolder('git');
      await runGit(['init', '--quiet', '--bare', '--initial-branch=main'], copy);
      await runGit(['remote', 'add', 'origin', url], copy);
      return copy;
    },
    open: (copy, on) => openRepository(parseRepositoryUrl(url, {}), { folder: copy, worker, ...(on && { on }) }),
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  };
}

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git } from './git-command.ts';

/** Path → content, or null for a file that goes away. */
type Files = Readonly<Record<string, string | null>>;

export interface Repository {
  readonly name: string;
  readonly url: string;
  /** The bare repository that is served. */
  readonly gitDir: string;
  /** Writes (or, with null, deletes) files on top of `main` and publishes the commit. Returns its id. */
  commit(files: Files, message?: string): Promise<string>;
  /** The same on another branch, which starts at `main` when it is new. */
  commitTo(branch: string, files: Files, message?: string): Promise<string>;
  /** Runs git in the bare repository: branches, tags, rewriting history, asking questions. */
  git(...args: string[]): Promise<string>;
}

export interface RepositoryOptions {
  readonly name: string;
  readonly url: string;
  readonly gitDir: string;
  readonly workTree: string;
}

// Commits are this many seconds apart, counted from the first: the same calls make the same ids every time.
const firstCommit = 1_767_225_600;
const apart = 60;

export async function createRepository(options: RepositoryOptions): Promise<Repository> {
  const { name, url, gitDir, workTree } = options;
  let commits = 0;

  await git(['init', '--quiet', '--bare', '--initial-branch=main', gitDir], { cwd: dirname(gitDir) });
  await git(['config', 'http.receivepack', 'true'], { cwd: gitDir });
  await git(['init', '--quiet', '--initial-branch=main', workTree], { cwd: dirname(gitDir) });
  await git(['remote', 'add', 'origin', gitDir], { cwd: workTree });

  const time = (): number => firstCommit + commits * apart;
  const inBare = (...args: string[]): Promise<string> => git(args, { cwd: gitDir, time: time() });
  const inTree = (...args: string[]): Promise<string> => git(args, { cwd: workTree, time: time() });

  async function commitTo(branch: string, files: Files, message?: string): Promise<string> {
    // From what is published, not from the last commit made here: a test may have moved the branch.
    await inTree('fetch', '--quiet', '--prune', 'origin');
    const published = (await inTree('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/remotes/origin')).split('\n');
    const base = [branch, 'main'].find((candidate) => published.includes(candidate));
    if (base !== undefined) await inTree('checkout', '--quiet', '--force', '--no-track', '-B', branch, `origin/${base}`);
    await Promise.all(Object.entries(files).map(([path, content]) => put(join(workTree, path), content)));
    await inTree('add', '--all', '--force');
    await inTree('commit', '--quiet', '--allow-empty', '--message', message ?? `Commit ${commits + 1}`);
    await inTree('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
    commits += 1;
    return inTree('rev-parse', 'HEAD');
  }

  return { name, url, gitDir, commitTo, commit: (files, message) => commitTo('main', files, message), git: inBare };
}

async function put(path: string, content: string | null): Promise<void> {
  if (content === null) return rm(path, { recursive: true });
  await mkdir(dirname(path), { recursive: true });
  return writeFile(path, content);
}

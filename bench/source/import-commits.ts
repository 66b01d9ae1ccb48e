// History that the git command line makes of a stream: files of a work tree, 20,000 of them, would take minutes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { git, gitEnvironment } from '../../test/support/git-command.ts';
import { manifestsOf, pathOf, type Shape } from './manifests.ts';

const firstCommit = 1_767_225_600;
const changedPerCommit = 20;

/** Everything, then the commits that change some of it, packed as a server packs what it has had for long. */
export async function importHistory(gitDir: string, shape: Shape): Promise<void> {
  await importStream(gitDir, historyOf(shape));
  await git(['repack', '-a', '-d', '-f', '-q', '--write-bitmap-index'], { cwd: gitDir });
}

export interface OneFile {
  readonly path: string;
  readonly content: string;
  /** Counts the seconds of its time. */
  readonly number: number;
}

/** One more commit on `main`, with one file. Gives its id. */
export async function importOne(gitDir: string, { path, content, number }: OneFile): Promise<string> {
  await importStream(gitDir, [`${headerOf(number)}from refs/heads/main^0\n`, ...fileOf(path, content), '\n']);
  return git(['rev-parse', 'refs/heads/main'], { cwd: gitDir });
}

function* historyOf({ applications, files, commits }: Shape): Iterable<string> {
  yield headerOf(0);
  for (let application = 0; application < applications; application++) {
    for (let file = 0; file < files; file++) yield* fileOf(pathOf(application, file), manifestsOf({ application, file, version: 0 }));
  }
  for (let number = 1; number <= commits; number++) {
    yield `\n${headerOf(number)}`;
    for (let change = 0; change < changedPerCommit; change++) {
      const [application, file] = [(number * 7 + change * 13) % applications, (number * 11 + change * 3) % files];
      yield* fileOf(pathOf(application, file), manifestsOf({ application, file, version: number }));
    }
  }
}

function headerOf(number: number): string {
  const message = `Commit ${number}`;
  return `commit refs/heads/main\ncommitter Setpoint Test <test@setpoint.dev> ${firstCommit + number * 60} +0000\ndata ${message.length}\n${message}\n`;
}

function fileOf(path: string, content: string): readonly string[] {
  return [`M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n`, `${content}\n`];
}

async function importStream(gitDir: string, stream: Iterable<string>): Promise<void> {
  const child = spawn('git', ['fast-import', '--quiet'], { cwd: gitDir, env: gitEnvironment(firstCommit), stdio: ['pipe', 'ignore', 'inherit'] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  await pipeline(Readable.from(stream), child.stdin);
  const [code] = await closed;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

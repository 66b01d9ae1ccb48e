import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import { gitEnvironment } from './git-command.ts';

export interface ListedFile {
  readonly mode: string;
  readonly id: string;
  readonly path: string;
}

/** `git ls-tree -r` of a commit. */
export async function listTree(gitDir: string, commit: string): Promise<readonly ListedFile[]> {
  const output = await runGit(gitDir, ['ls-tree', '-r', '-z', commit]);
  return output
    .toString()
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [, mode = '', id = '', path = ''] = /^(\d+) \w+ ([0-9a-f]{40})\t(.*)$/s.exec(line) ?? [];
      return { mode, id, path };
    });
}

/** `git cat-file --batch`: id → content. */
export async function catFiles(gitDir: string, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const output = await runGit(gitDir, ['cat-file', '--batch'], `${ids.join('\n')}\n`);
  const contents = new Map<string, Buffer>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at);
    const [id = '', , size = ''] = output.toString('latin1', at, end).split(' ');
    contents.set(id, output.subarray(end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return contents;
}

export interface RawEntry {
  readonly mode: string;
  readonly name: string | Uint8Array;
  readonly id: string;
}

/** Writes objects past git's own checks, as a hostile hand would. Gives their ids. */
export function objectWriter(gitDir: string): {
  readonly object: (kind: string, content: Uint8Array) => Promise<string>;
  readonly blob: (content: string) => Promise<string>;
  readonly tree: (entries: readonly RawEntry[]) => Promise<string>;
  readonly commit: (tree: string) => Promise<string>;
} {
  async function object(kind: string, content: Uint8Array): Promise<string> {
    const whole = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
    const id = createHash('sha1').update(whole).digest('hex');
    const path = join(gitDir, 'objects', id.slice(0, 2), id.slice(2));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, deflateSync(whole));
    return id;
  }
  return {
    object,
    blob: (content) => object('blob', Buffer.from(content)),
    tree: (entries) => object('tree', Buffer.concat(entries.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} `), Buffer.from(name), Buffer.from([0]), Buffer.from(id, 'hex')]))),
    commit: (tree) => object('commit', Buffer.from(`tree ${tree}\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n\nhostile\n`)),
  };
}

async function runGit(cwd: string, args: readonly string[], input?: string): Promise<Buffer> {
  const child = spawn('git', [...args], { cwd, env: gitEnvironment(0), stdio: ['pipe', 'pipe', 'inherit'] });
  // It may have ended before it could be told that nothing comes.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return buffer(child.stdout);
}

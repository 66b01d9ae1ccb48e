// The repository of the demo: a bare one, as a Git host has it, and a clone to work in. The library that the agent reads
// with makes both, so that no git command is needed; where there is one, it does the push.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import git from 'isomorphic-git';
import { quoted } from './quoted.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const author = { name: 'Setpoint demo', email: 'demo@setpoint.dev' };

export interface Fleet {
  /** Of the bare repository. */
  readonly url: string;
  /** Replaces a text in a file of the clone, and commits it. */
  change(file: string, from: string, to: string): Promise<string>;
  /** Publishes what was committed. What the hook of the repository says of it is returned. */
  push(): Promise<string>;
}

interface FleetOptions {
  readonly folder: string;
  /** Where pushes are announced, and what signs that. */
  readonly hook: string;
  readonly secretFile: string;
}

export async function createFleet({ folder, hook, secretFile }: FleetOptions): Promise<Fleet> {
  const [dir, bare] = [join(folder, 'fleet'), join(folder, 'fleet.git')];
  const url = `file://${bare}`;
  await cp(join(here, 'fleet'), dir, { recursive: true });
  await cp(join(here, '..', 'quickstart', 'web'), join(dir, 'web'), { recursive: true });
  await git.init({ fs, gitdir: bare, bare: true, defaultBranch: 'main' });
  await git.init({ fs, dir, defaultBranch: 'main' });
  await git.addRemote({ fs, dir, remote: 'origin', url: bare });
  for (const [path, value] of [['branch.main.remote', 'origin'], ['branch.main.merge', 'refs/heads/main'], ['user.name', author.name], ['user.email', author.email]] as const) await git.setConfig({ fs, dir, path, value });
  await git.add({ fs, dir, filepath: '.' });
  await git.commit({ fs, dir, message: 'The shop, as it should be', author });
  await publish(dir, bare);

  const announcement = [process.execPath, join(here, 'announce-push.ts'), hook, url, secretFile] as const;
  const hooks = join(bare, 'hooks');
  await mkdir(hooks, { recursive: true });
  await writeFile(join(hooks, 'post-receive'), `#!/bin/sh\nexec ${announcement.map(quoted).join(' ')}\n`);
  await chmod(join(hooks, 'post-receive'), 0o755);

  return {
    url,
    async change(file, from, to) {
      const path = join(dir, file);
      const text = await readFile(path, 'utf8');
      if (!text.includes(from)) throw new Error(`${file} of the demo has no "${from}"`);
      await writeFile(path, text.replace(from, to));
      await git.add({ fs, dir, filepath: file });
      return git.commit({ fs, dir, message: to, author });
    },
    async push() {
      try {
        const { stderr } = await run('git', ['push', 'origin', 'main'], { cwd: dir });
        return stderr.split('\n').flatMap((line) => /^remote: (.*\S)/.exec(line)?.[1] ?? []).join('\n');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        await publish(dir, bare);
        const [node, ...args] = announcement;
        return (await run(node, args)).stdout.trim();
      }
    },
  };
}

/** What a push to a folder comes to: the objects first, then the branch. */
async function publish(dir: string, gitdir: string): Promise<void> {
  await cp(join(dir, '.git', 'objects'), join(gitdir, 'objects'), { recursive: true });
  await git.writeRef({ fs, gitdir, ref: 'refs/heads/main', value: await git.resolveRef({ fs, dir, ref: 'HEAD' }), force: true });
}

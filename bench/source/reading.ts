// All files of a commit, through the tree that renderers read and through git.
import { spawn } from 'node:child_process';
import type { SourceTree } from '../../src/model/index.ts';
import { gitEnvironment } from '../../test/support/git-command.ts';
import type { BenchOptions } from '../bench.ts';
import type { Measured } from './fetches.ts';
import { worstOf } from './stall.ts';
import { inMs, measureBoth, runGit, timed } from './timing.ts';
import type { World } from './world.ts';

interface Amount {
  readonly files: number;
  readonly bytes: number;
}

export async function measureReading(world: World, { quick, signal, say }: BenchOptions): Promise<Measured> {
  say('reading all files');
  const [folder, copy] = [await world.newFolder('copy'), await world.newGitCopy()];
  await runGit(['fetch', '--quiet', '--depth', '1', '--no-tags', 'origin', 'main'], copy);
  const amounts: Amount[] = [];
  const runs = quick ? 1 : 5;
  /** Opened anew each time: nothing of the last time is remembered. */
  const ours = async (): Promise<number> => {
    const repository = world.open(folder);
    try {
      using snapshot = await repository.pull('main', signal);
      return await timed(async () => amounts.push(await readAll(snapshot.tree, '')));
    } finally {
      await repository.close();
    }
  };
  const theirs = (flags: readonly string[]) => (): Promise<number> => timed(async () => amounts.push(await catAll(copy, flags)));
  const pair = await measureBoth({ runs, signal, ours, theirs: theirs([]) });
  const buffered = await measureBoth({ runs, signal, ours, theirs: theirs(['--buffer']) });
  const [first = { files: 0, bytes: 0 }] = amounts;
  const files = world.shape.applications * world.shape.files;
  const isSame = first.files === files && amounts.every((amount) => amount.files === files && amount.bytes === first.bytes);
  return {
    figures: [
      {
        what: 'reading all files',
        value: `${inMs(pair.ours)}, git ${inMs(pair.theirs)}: ${pair.ratio.toFixed(2)} x`,
        conditions: `${first.files} files, ${(first.bytes / 2 ** 20).toFixed(1)} MiB, listed and read, each held against its id, nothing remembered; next to git ls-tree -r into git cat-file --batch, which holds nothing against ids; median of ${runs}, in turns`,
        target: { wanted: '<= 2 x', met: quick ? undefined : pair.ratio <= 2 },
      },
      { what: 'reading all files, git with --buffer', value: `${buffered.ratio.toFixed(2)} x`, conditions: `git cat-file --batch --buffer ${inMs(buffered.theirs)}: it writes many at once; likewise` },
    ],
    stalls: { reading: worstOf([pair.stall, buffered.stall]) },
    failures: isSame ? [] : [`not the same was read: ${JSON.stringify([...new Set(amounts.map((amount) => JSON.stringify(amount)))])}, and there are ${files} files`],
  };
}

async function readAll(tree: SourceTree, folder: string): Promise<Amount> {
  let [files, bytes] = [0, 0];
  for (const { name, type } of await tree.list(folder)) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (type === 'folder') {
      const below = await readAll(tree, path);
      files += below.files;
      bytes += below.bytes;
    } else {
      files += 1;
      bytes += (await tree.read(path)).length;
    }
  }
  return { files, bytes };
}

async function catAll(cwd: string, flags: readonly string[]): Promise<Amount> {
  const options = { cwd, env: gitEnvironment(0) };
  const list = spawn('git', ['ls-tree', '-r', '--object-only', 'FETCH_HEAD'], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const cat = spawn('git', ['cat-file', '--batch=%(objectname)', ...flags], { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  list.stdout.pipe(cat.stdin);
  let printed = 0;
  let asked = 0;
  list.stdout.on('data', (chunk: Buffer) => (asked += chunk.length));
  cat.stdout.on('data', (chunk: Buffer) => (printed += chunk.length));
  const code = await new Promise<number | null>((resolve, reject) => cat.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`git cat-file ended with ${code}`);
  // Every content comes between a line with its id and the end of a line.
  const files = asked / 41;
  return { files, bytes: printed - files * 42 };
}

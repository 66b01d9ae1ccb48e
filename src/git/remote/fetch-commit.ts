import fs from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import git from 'isomorphic-git';
import type { Fetched, FetchJob } from './messages.ts';
import type { Metered } from './meter.ts';

// What isomorphic-git offers the server as present is the commit of the local reference that it is told to fetch.
const haveReference = 'refs/heads/have';

interface FetchSurroundings {
  readonly url: string;
  readonly metered: Metered;
  readonly onProgress: () => void;
}

/** Puts one more pack into a repository on disk. What it leaves there when it fails is no part of it. */
export async function fetchCommit({ gitDir, want, have, shallow }: FetchJob, { url, metered, onProgress }: FetchSurroundings): Promise<Fetched> {
  const shallowFile = join(gitDir, 'shallow');
  await writeFile(shallowFile, shallow.map((commit) => `${commit}\n`).join(''));
  if (have === undefined) await rm(join(gitDir, haveReference), { force: true });
  else await writeFile(join(gitDir, haveReference), `${have}\n`);
  await git.fetch({
    fs,
    http: metered.http,
    gitdir: gitDir,
    url,
    remote: 'origin',
    ref: haveReference,
    remoteRef: want,
    singleBranch: true,
    tags: false,
    onProgress,
    ...(have === undefined && { depth: 1 }),
  });
  const after = await readFile(shallowFile, 'utf8').catch(() => '');
  return { bytes: metered.bytes(), shallow: after.split('\n').filter((line) => line !== '') };
}

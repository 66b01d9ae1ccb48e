import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SetpointError } from '../../model/index.ts';

/** Where the parts of a repository on this machine are. */
export interface GitFolders {
  /** Of this work tree: its HEAD. */
  readonly gitDir: string;
  /** Shared by all work trees: references. */
  readonly common: string;
  /** The repository's own, and those it borrows from. */
  readonly objects: readonly string[];
}

const maxAlternates = 10;

export async function findGitFolders(gitDir: string, url: string): Promise<GitFolders> {
  const common = resolve(gitDir, (await textOf(join(gitDir, 'commondir')))?.trim() ?? '.');
  const config = (await textOf(join(common, 'config'))) ?? '';
  if (/^\s*objectformat\s*=\s*sha256\s*$/im.test(config)) {
    throw new SetpointError('RepositoryInvalid', `${url} names its objects by SHA-256, which is not supported: use a repository with SHA-1`);
  }
  if (/^\s*refstorage\s*=\s*reftable\s*$/im.test(config)) {
    throw new SetpointError('RepositoryInvalid', `${url} keeps its references as reftable, which is not supported: use the files format`);
  }
  return { gitDir, common, objects: await withAlternates(join(common, 'objects')) };
}

async function withAlternates(own: string): Promise<readonly string[]> {
  const found = [own];
  for (const folder of found) {
    if (found.length > maxAlternates) break;
    const lines = ((await textOf(join(folder, 'info', 'alternates'))) ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    // The loop goes on to what is pushed here: alternates have alternates.
    found.push(...lines.map((line) => resolve(folder, line)).filter((path) => !found.includes(path)));
  }
  return found;
}

export async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

import fs from 'node:fs';
import git from 'isomorphic-git';
import { SetpointError, type Finding, type SourceFile } from '../model/index.ts';

export interface Tree {
  readonly files: readonly SourceFile[];
  readonly findings: readonly Finding[];
}

interface TreeRequest {
  readonly gitDir: string;
  readonly commit: string;
  /** The folder, or one file; empty for the whole tree. Origins are relative to the root of the repository. */
  readonly path: string;
  readonly wanted: (path: string) => boolean;
}

const symbolicLink = '120000';
const lfsPointer = Buffer.from('version https://git-lfs');

export async function readTree({ gitDir, commit, path, wanted }: TreeRequest): Promise<Tree> {
  const files: SourceFile[] = [];
  const findings: Finding[] = [];
  const at = { fs, gitdir: gitDir, cache: {} };
  const readFile = async (oid: string, filePath: string): Promise<void> => {
    const { blob } = await git.readBlob({ ...at, oid });
    if (lfsPointer.equals(blob.subarray(0, lfsPointer.length))) {
      findings.push({ severity: 'error', origin: filePath, message: 'is a Git LFS pointer, and LFS is not fetched: store manifests in Git itself' });
    } else files.push({ path: filePath, content: blob });
  };
  const visit = async (oid: string, folder: string): Promise<void> => {
    const { tree } = await git.readTree({ ...at, oid });
    for (const entry of tree) {
      const entryPath = folder === '' ? entry.path : `${folder}/${entry.path}`;
      if (entry.type === 'tree') await visit(entry.oid, entryPath);
      else if (entry.type === 'commit') findings.push({ severity: 'warning', origin: entryPath, message: 'is a submodule, which is not read' });
      else if (!wanted(entryPath)) continue;
      else if (entry.mode === symbolicLink) findings.push({ severity: 'warning', origin: entryPath, message: 'is a symbolic link, which is not followed' });
      else await readFile(entry.oid, entryPath);
    }
  };
  const start = await find({ ...at, commit, path });
  if (start.type === 'tree') await visit(start.oid, path);
  else await readFile(start.oid, path);
  return { files, findings };
}

interface Lookup {
  readonly fs: typeof fs;
  readonly gitdir: string;
  readonly cache: object;
  readonly commit: string;
  readonly path: string;
}

async function find({ commit, path, ...at }: Lookup): Promise<{ readonly type: string; readonly oid: string }> {
  const { oid: root } = await git.readTree({ ...at, oid: commit });
  let found = { type: 'tree', oid: root };
  for (const name of path.split('/').filter((part) => part !== '')) {
    const tree = found.type === 'tree' ? (await git.readTree({ ...at, oid: found.oid })).tree : [];
    const entry = tree.find((candidate) => candidate.path === name && candidate.type !== 'commit');
    if (entry === undefined) {
      throw new SetpointError('PathNotFound', `commit ${commit.slice(0, 7)} has no path ${path}: check --path and --revision`);
    }
    found = entry;
  }
  return found;
}

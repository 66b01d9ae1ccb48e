import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { SetpointError, whyUnreadable, type SourceTree } from '../model/index.ts';
import { openLocalTree, type Rendered } from '../render/index.ts';

export interface LocalSource {
  readonly tree: SourceTree;
  readonly path: string;
  /** What the folder is called: a release is named after it. */
  readonly name: string;
  /** Origins as the caller would write them: from the folder that was named. */
  withOrigins(rendered: Rendered): Rendered;
}

/**
 * A folder or file of this machine. What lies outside of the Git work tree around it, or of `root`, is out of reach: a
 * kustomization may name any path.
 */
export async function openLocalSource(given: string, root: string | undefined): Promise<LocalSource> {
  const kind = await stat(given).catch((cause: unknown) => {
    throw new SetpointError('PathNotFound', `${given} cannot be read: ${whyUnreadable(cause)}: check -f`, { cause });
  });
  if (!kind.isDirectory() && !kind.isFile()) throw new SetpointError('PathInvalid', `${given} is neither a file nor a folder: check -f`);
  const place = await realpath(given);
  const folder = kind.isDirectory() ? place : dirname(place);
  const top = root === undefined ? (enclosingWorkTree(folder) ?? folder) : await realpath(root).catch((cause: unknown) => {
    throw new SetpointError('PathNotFound', `${root} cannot be read: ${whyUnreadable(cause)}: check --root`, { cause });
  });
  const path = relative(top, place).split(sep).join('/');
  if (path === '..' || path.startsWith('../')) throw new SetpointError('Usage', `${given} is not inside --root ${root ?? ''}`);
  const base = kind.isDirectory() ? path : undefined;
  const rename = (origin: string): string => {
    const [, file = origin, document = ''] = /^(.*?)(#\d+)?$/s.exec(origin) ?? [];
    const renamed = base === undefined ? (file === path ? given : file) : posix.relative(base, file) || '.';
    return `${renamed}${document}`;
  };
  return {
    tree: await openLocalTree({ root: top }),
    path,
    name: basename(resolve(folder)),
    withOrigins({ documents, findings }) {
      return {
        documents: documents.map(({ origin, object }) => ({ origin: rename(origin), object })),
        findings: findings.map((finding) => ({ ...finding, origin: rename(finding.origin) })),
      };
    },
  };
}

function enclosingWorkTree(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : enclosingWorkTree(parent);
}

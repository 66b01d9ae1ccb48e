import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { SetpointError } from '../model/index.ts';

// As in a tree of Git: what is followed here is followed there.
const mostLinks = 10;
const partOfPath = /^(?!\.{1,2}$)[^/\0]+$/;

/**
 * Where a path of a folder really leads, link by link, as a path without links: undefined where nothing is. Git holds links as
 * text, so an absolute one, or one that goes out and in again, would lead elsewhere on another machine: such links are refused.
 * Git's own folder is no part of a source.
 */
export async function followPath(home: string, path: string): Promise<string | undefined> {
  const names = path === '' ? [] : path.split('/');
  if (!names.every((name) => partOfPath.test(name))) throw new SetpointError('PathInvalid', `${JSON.stringify(path)} is no path inside the source`);
  let links = 0;
  const follow = async (start: readonly string[], parts: readonly string[]): Promise<readonly string[] | undefined> => {
    let at = start;
    for (const part of parts) {
      if (part === '' || part === '.') continue;
      if (part === '..') {
        if (at.length === 0) throw invalid(path, 'leads out of the source');
        at = at.slice(0, -1);
        continue;
      }
      const next = [...at, part];
      const link = part === '.git' ? undefined : await linkAt(join(home, ...next));
      if (link === undefined) return undefined;
      if (link === null) at = next;
      else {
        links += 1;
        if (links > mostLinks) throw invalid(path, `leads in a circle, or over more than ${mostLinks} links`);
        if (link.startsWith('/')) throw invalid(path, 'is absolute, which leads out of the source');
        const target = await follow(at, link.split('/'));
        if (target === undefined) throw invalid(path, 'leads nowhere');
        at = target;
      }
    }
    return at;
  };
  const found = await follow([], names);
  return found && join(home, ...found);
}

/** Where a link points; null for what is there and is no link, undefined where nothing is. */
async function linkAt(place: string): Promise<string | null | undefined> {
  try {
    return (await lstat(place)).isSymbolicLink() ? await readlink(place) : null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

function invalid(path: string, why: string): SetpointError {
  return new SetpointError('PathInvalid', `${path} has a link that ${why}`);
}

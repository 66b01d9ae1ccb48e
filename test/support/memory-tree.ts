// A source tree made of a table, for tests: files, links and submodules, with the errors that the port promises.
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { SetpointError, type EntryType, type SourceTree, type TreeEntry } from '../../src/model/index.ts';

export type MemoryFile = string | Uint8Array | { readonly link: string } | { readonly submodule: true };
export type MemoryFiles = Readonly<Record<string, MemoryFile>>;

type Found = { readonly path: string } & (
  | { readonly type: 'file'; readonly content: Uint8Array }
  | { readonly type: 'folder' | 'submodule' | 'none' }
);

const linkHops = 40;

export function memoryTree(files: MemoryFiles): SourceTree {
  const folders = new Set(['']);
  for (const path of Object.keys(files)) {
    for (let parent = posix.dirname(path); parent !== '.'; parent = posix.dirname(parent)) folders.add(parent);
  }
  const find = (path: string, hops = 0): Found => {
    checkPath(path);
    let at = '';
    const names = path === '' ? [] : path.split('/');
    for (const [index, name] of names.entries()) {
      at = at === '' ? name : `${at}/${name}`;
      const file = files[at];
      if (typeof file === 'object' && 'link' in file) {
        if (hops >= linkHops) throw invalid(path, 'the links go in a circle');
        const target = targetOf(at, file.link);
        const found = find([target, ...names.slice(index + 1)].filter((part) => part !== '').join('/'), hops + 1);
        if (found.type === 'none' && index === names.length - 1) throw invalid(path, `the link leads to ${target}, and nothing is there`);
        return found;
      }
    }
    const file = files[path];
    if (typeof file === 'string') return { path, type: 'file', content: Buffer.from(file) };
    if (file instanceof Uint8Array) return { path, type: 'file', content: file };
    if (file !== undefined) return { path, type: 'submodule' };
    return { path, type: folders.has(path) ? 'folder' : 'none' };
  };
  const list = async (path: string): Promise<readonly TreeEntry[]> => {
    const found = find(path);
    if (found.type === 'submodule') throw invalid(path, 'it is a submodule');
    if (found.type !== 'folder') throw missing(path, 'folder');
    const names = [...Object.keys(files), ...folders].filter((each) => each !== '' && parentOf(each) === found.path);
    const sorted = [...new Set(names)].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return sorted.map((each) => ({ name: posix.basename(each), type: entryType(files[each]) }));
  };
  const read = async (path: string): Promise<Uint8Array> => {
    const found = find(path);
    if (found.type === 'submodule') throw invalid(path, 'it is a submodule');
    if (found.type !== 'file') throw missing(path, 'file');
    return found.content;
  };
  const typeOf = async (path: string): Promise<EntryType | undefined> => {
    const { type } = find(path);
    return type === 'none' ? undefined : type;
  };
  const idOf = async (path: string): Promise<string | undefined> => {
    const found = find(path);
    if (found.type === 'none') return undefined;
    if (found.type === 'file') return hash(['file', found.content]);
    const below = Object.keys(files).filter((each) => found.path === '' || each === found.path || each.startsWith(`${found.path}/`));
    return hash(['folder', ...below.toSorted().flatMap((each) => [each.slice(found.path.length), contentOf(files[each])])]);
  };
  return { typeOf, idOf, list, read };
}

export interface Asked {
  readonly ask: keyof SourceTree;
  readonly path: string;
}

/** The same tree, and all that was asked of it. */
export function recordingTree(tree: SourceTree): { readonly tree: SourceTree; readonly asked: readonly Asked[] } {
  const asked: Asked[] = [];
  const note =
    <T>(ask: keyof SourceTree, answer: (path: string) => Promise<T>) =>
    (path: string): Promise<T> => {
      asked.push({ ask, path });
      return answer(path);
    };
  return {
    tree: { typeOf: note('typeOf', tree.typeOf), idOf: note('idOf', tree.idOf), list: note('list', tree.list), read: note('read', tree.read) },
    asked,
  };
}

function checkPath(path: string): void {
  if (path === '') return;
  if (path.split('/').some((name) => name === '' || name === '.' || name === '..')) throw invalid(path, 'it is no path in a tree');
}

function targetOf(link: string, to: string): string {
  const target = posix.join(posix.dirname(link), to).replace(/\/$/, '');
  if (posix.isAbsolute(to) || target === '..' || target.startsWith('../')) throw invalid(link, `the link leads out, to ${to}`);
  return target === '.' ? '' : target;
}

function parentOf(path: string): string {
  const parent = posix.dirname(path);
  return parent === '.' ? '' : parent;
}

function entryType(file: MemoryFile | undefined): TreeEntry['type'] {
  if (file === undefined) return 'folder';
  if (typeof file === 'string' || file instanceof Uint8Array) return 'file';
  return 'link' in file ? 'link' : 'submodule';
}

function contentOf(file: MemoryFile | undefined): string | Uint8Array {
  return typeof file === 'string' || file instanceof Uint8Array ? file : JSON.stringify(file ?? null);
}

function hash(parts: readonly (string | Uint8Array)[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${part.length}:`).update(part);
  return sum.digest('hex');
}

function invalid(path: string, why: string): SetpointError {
  return new SetpointError('PathInvalid', `${path}: ${why}`);
}

function missing(path: string, what: string): SetpointError {
  return new SetpointError('PathNotFound', `${path}: there is no such ${what}`);
}

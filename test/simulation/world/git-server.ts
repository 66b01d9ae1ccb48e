import type { SourceDocument } from '../../../src/model/index.ts';

/** What an object is made of here: one flat map. */
export type Fields = Readonly<Record<string, string>>;

/** The objects of one application, by name, and those in files that cannot be read; or files that no renderer can make anything of. */
export type Folder =
  | { readonly type: 'objects'; readonly objects: Readonly<Record<string, Fields>>; readonly unread: Readonly<Record<string, Fields>>; readonly documents: readonly SourceDocument[] }
  | { readonly type: 'broken' };

export interface Commit {
  readonly id: string;
  /** The later of two has the larger one. */
  readonly order: number;
  readonly folders: ReadonlyMap<string, Folder>;
}

export interface GitServer {
  readonly repository: string;
  /** What the branch stands for now. */
  head(): Commit;
  find(id: string): Commit;
  /** Changes one folder, or none. */
  push(change?: { readonly path: string; readonly folder: Folder }): Commit;
}

export const branch = 'main';

export function createGitServer(): GitServer {
  const commits: Commit[] = [{ id: idOf(0), order: 0, folders: new Map() }];
  const head = (): Commit => commits[commits.length - 1] as Commit;
  return {
    repository: 'https://git.example.com/acme/fleet',
    head,
    find(id) {
      const commit = commits.find((each) => each.id === id);
      if (commit === undefined) throw new RangeError(`there is no commit ${id}`);
      return commit;
    },
    push(change) {
      const { order, folders } = head();
      const next = { id: idOf(order + 1), order: order + 1, folders: change === undefined ? folders : new Map([...folders, [change.path, change.folder]]) };
      commits.push(next);
      return next;
    },
  };
}

export function folderOf(objects: Readonly<Record<string, Fields>>, unread: Readonly<Record<string, Fields>> = {}): Folder {
  const documents = Object.entries(objects).map(([name, data]) => ({ origin: `${name}.yaml#1`, object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data } }));
  return { type: 'objects', objects, unread, documents };
}

function idOf(order: number): string {
  return `c${String(order).padStart(6, '0')}`;
}

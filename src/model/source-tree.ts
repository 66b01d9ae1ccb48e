export type EntryType = 'file' | 'folder' | 'submodule';

export interface TreeEntry {
  readonly name: string;
  /** A link is what it is here, wherever it leads: `typeOf` tells that. */
  readonly type: EntryType | 'link';
}

/**
 * The files of a source, and no way out of them. Paths go from the root, with `/` between names and never `.`, `..` or an empty
 * name; the empty path is the root. Links that stay in the tree are followed, also in the middle of a path. A path that is none,
 * a link that is absolute, leads out, leads nowhere or in a circle throws `PathInvalid`, and so does reading a submodule.
 */
export interface SourceTree {
  /** What is there, links followed; undefined where nothing is. */
  typeOf(path: string): Promise<EntryType | undefined>;
  /** Names the content of a file, or of all that is below a folder (links by where they point, not by what is there). */
  idOf(path: string): Promise<string | undefined>;
  /** The entries of a folder, in the order of their names' bytes. Throws `PathNotFound` where there is no folder. */
  list(path: string): Promise<readonly TreeEntry[]>;
  /** Throws `PathNotFound` where there is no file, `SourceTooLarge` beyond a limit, `PathInvalid` for a Git LFS pointer. */
  read(path: string): Promise<Uint8Array>;
}

import { statSync, watch, type FSWatcher } from 'node:fs';

export interface FolderNotices {
  /** Sees to it that the folder that is there now, if it is one, is the one that is watched. */
  renew(): void;
  close(): void;
}

interface NoticesOptions {
  readonly folder: string;
  /** Something may have changed under this name. */
  readonly changed: (name: string | null) => void;
}

/** Notices changes in a folder as far as the system tells of them. Not all file systems do, and none promises it. */
export function createFolderNotices({ folder, changed }: NoticesOptions): FolderNotices {
  let watched: { readonly watcher: FSWatcher; readonly inode: bigint } | undefined;
  const stop = (): void => {
    watched?.watcher.close();
    watched = undefined;
  };
  return {
    renew() {
      try {
        // A folder that was removed and made again is another one by the same name.
        const found = statSync(folder, { bigint: true });
        const inode = found.ino;
        if (watched?.inode === inode) return;
        stop();
        if (!found.isDirectory()) return;
        const watcher = watch(folder, (_event, name) => changed(name));
        watcher.on('error', stop);
        watched = { watcher, inode };
      } catch {
        stop();
      }
    },
    close: stop,
  };
}

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SetpointError } from '../../../model/index.ts';

export interface WorkFolder extends AsyncDisposable {
  /** Without links, as the programs write it in their messages. */
  readonly path: string;
  /** Where a path of the tree is found on disk. */
  inTree(path: string): string;
  makeFolder(path: string): Promise<void>;
  /** A second time for the same path does nothing. */
  writeTreeFile(path: string, content: Uint8Array): Promise<void>;
  has(path: string): boolean;
  /** Beside the tree; gives the path from the work folder. */
  writeInput(name: string, content: string | Uint8Array): Promise<string>;
}

export interface WorkFolderLimits {
  readonly files: number;
  readonly fileBytes: number;
}

/** A folder of one render, for this user only. Goes with everything in it, whatever happened. */
export async function openWorkFolder(parent: string, limits: WorkFolderLimits): Promise<WorkFolder> {
  const path = await onDisk(async () => realpath(await mkdtemp(join(parent, 'setpoint-render-'))));
  const written = new Set<string>();
  let bytes = 0;
  const count = (name: string, size: number): void => {
    written.add(name);
    bytes += size;
    if (written.size > limits.files) throw new SetpointError('SourceTooLarge', `${name}: more than ${limits.files} files are needed for one render`);
    if (bytes > limits.fileBytes) throw new SetpointError('SourceTooLarge', `${name}: more than ${limits.fileBytes} bytes are needed for one render`);
  };
  const inTree = (name: string): string => {
    checkName(name);
    return join(path, 'tree', name);
  };
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  return {
    path,
    inTree,
    makeFolder: (name) => onDisk(async () => void (await mkdir(inTree(name), { recursive: true, mode: 0o700 }))),
    writeTreeFile: async (name, content) => {
      if (written.has(name)) return;
      const file = inTree(name);
      count(name, content.length);
      await onDisk(async () => {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await writeFile(file, content, { flag: 'wx', mode: 0o600 });
      });
    },
    has: (name) => written.has(name),
    writeInput: async (name, content) => {
      count(`/${name}`, content.length);
      await onDisk(() => writeFile(join(path, name), content, { flag: 'wx', mode: 0o600 }));
      return name;
    },
    [Symbol.asyncDispose]: remove,
  };
}

/** A tree gives no such path; should one ever do, nothing is written outside. */
function checkName(name: string): void {
  if (name === '') return;
  if (name.includes('\0') || name.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    throw new SetpointError('PathInvalid', `${JSON.stringify(name)} is no path in a source`);
  }
}

async function onDisk<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    if (cause instanceof SetpointError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENAMETOOLONG' || code === 'EEXIST' || code === 'ENOTDIR') {
      throw new SetpointError('PathInvalid', `a path of the source cannot be written on this machine: ${code}`, { cause });
    }
    throw new SetpointError('Internal', `the folder for rendering cannot be written: ${code ?? String(cause)}`, { cause });
  }
}

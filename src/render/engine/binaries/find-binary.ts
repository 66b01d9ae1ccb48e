import { access, constants, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

export interface Binary {
  readonly name: string;
  readonly path: string;
}

/** The first of the names that is an executable file in one of the folders. Folders that are no absolute path do not count. */
export async function findBinary(names: readonly string[], folders: readonly string[]): Promise<Binary | undefined> {
  for (const name of names) {
    for (const folder of folders.filter((each) => isAbsolute(each))) {
      const path = join(folder, name);
      if (await isExecutable(path)) return { name, path };
    }
  }
  return undefined;
}

/** Changes when a program is installed, replaced or removed. */
export async function binaryVersions(choices: readonly (readonly string[])[], folders: readonly string[]): Promise<string> {
  const versions = choices.map(async (names) => {
    const binary = await findBinary(names, folders);
    if (binary === undefined) return `no ${names.join(' or ')}`;
    const path = await realpath(binary.path);
    const { size, mtimeMs } = await stat(path);
    return `${path} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(versions)).join(', ');
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
